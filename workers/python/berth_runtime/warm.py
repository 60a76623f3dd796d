"""What servers and packages often import, and what the real pydantic needs: in the snapshot.

From the interpreter's zip, as source, each costs a session several milliseconds.
"""

import argparse  # noqa: F401
import configparser  # noqa: F401
import csv  # noqa: F401
import difflib  # noqa: F401
import email.mime.multipart  # noqa: F401
import email.mime.text  # noqa: F401
import fractions  # noqa: F401
import getpass  # noqa: F401
import gettext  # noqa: F401
import gzip  # noqa: F401
import html.parser  # noqa: F401
import importlib.metadata._adapters  # noqa: F401
import logging.handlers  # noqa: F401
import platform  # noqa: F401
import pprint  # noqa: F401
import runpy  # noqa: F401
import secrets  # noqa: F401
import shlex  # noqa: F401
import smtplib  # noqa: F401
import statistics  # noqa: F401
import sysconfig  # noqa: F401
import tomllib  # noqa: F401
import xml.etree.ElementTree  # noqa: F401
import zoneinfo  # noqa: F401

import annotated_types  # noqa: F401
import typing_extensions  # noqa: F401
import typing_inspection.introspection  # noqa: F401
import typing_inspection.typing_objects  # noqa: F401
