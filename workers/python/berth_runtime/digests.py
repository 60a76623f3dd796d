"""What `hashlib` lacks without OpenSSL: keys that are derived from passwords."""

import hashlib
import hmac

__all__ = ["install", "pbkdf2_hmac"]

_MOST = 2**32 - 1


def pbkdf2_hmac(hash_name, password, salt, iterations, dklen=None):
    """Derive a key from a password (RFC 8018, section 5.2), as `hashlib` has it with OpenSSL.

    100,000 iterations take about half a second.
    """
    if not isinstance(hash_name, str):
        raise TypeError(f"argument 'hash_name' must be str, not {type(hash_name).__name__}")
    size = hashlib.new(hash_name).digest_size
    length = size if dklen is None else dklen
    if iterations < 1:
        raise ValueError("iteration value must be greater than 0.")
    if not 1 <= length <= _MOST:
        raise ValueError("key length must be greater than 0.")
    keyed = hmac.new(bytes(memoryview(password)), digestmod=hash_name)
    blocks = -(-length // size)
    given = bytes(memoryview(salt))
    key = b"".join(_block(keyed, given, iterations, number + 1) for number in range(blocks))
    return key[:length]


def _block(keyed, salt, iterations, number):
    def next_of(data):
        each = keyed.copy()
        each.update(data)
        return each.digest()

    last = next_of(salt + number.to_bytes(4, "big"))
    found = int.from_bytes(last)
    for _ in range(iterations - 1):
        last = next_of(last)
        found ^= int.from_bytes(last)
    return found.to_bytes(len(last))


def install():
    """Give `hashlib` what it lacks."""
    if hasattr(hashlib, "pbkdf2_hmac"):
        return
    pbkdf2_hmac.__module__ = "hashlib"
    hashlib.pbkdf2_hmac = pbkdf2_hmac
    hashlib.__all__ = (*hashlib.__all__, "pbkdf2_hmac")
