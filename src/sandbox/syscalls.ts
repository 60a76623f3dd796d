/**
 * System calls that a sandboxed process has no use for, by their numbers on the processors that Berth
 * knows. Sources: `asm/unistd_64.h` and `asm-generic/unistd.h` of Linux.
 *
 * @module
 */

/** What the filter must know of a processor. */
export interface SystemCalls {
  /** `AUDIT_ARCH_*`: calls in the manner of another processor are not those that are numbered here. */
  audit: number;
  seccomp: number;
  clone: number;
  clone3: number;
  socketpair: number;
  /** What is refused whatever its arguments. */
  refused: readonly number[];
}

/** The last call that is known here (`mseal`, Linux 6.10): later ones are as if they did not exist. */
export const LAST_KNOWN = 462;

// The numbers from 424 on are the same everywhere.
const NEWER = [
  ...[424, 434, 438, 440, 448], // pidfd_send_signal, pidfd_open, pidfd_getfd, process_madvise, process_mrelease
  ...[425, 426, 427], // io_uring_setup, _enter, _register
  ...[428, 429, 430, 431, 432, 433, 442], // open_tree, move_mount, fsopen, fsconfig, fsmount, fspick, mount_setattr
  ...[443, 447, 450], // quotactl_fd, memfd_secret, set_mempolicy_home_node
];

const X86_64: SystemCalls = {
  audit: 0xc000003e,
  seccomp: 317,
  clone: 56,
  clone3: 435,
  socketpair: 53,
  refused: [
    ...NEWER,
    ...[57, 58, 322], // fork, vfork, execveat
    ...[41, 42, 49, 50, 43, 288], // socket, connect, bind, listen, accept, accept4
    ...[101, 310, 311, 312], // ptrace, process_vm_readv, process_vm_writev, kcmp
    ...[298, 321, 323, 248, 249, 250], // perf_event_open, bpf, userfaultfd, add_key, request_key, keyctl
    ...[165, 166, 155, 161, 308, 272], // mount, umount2, pivot_root, chroot, setns, unshare
    ...[167, 168, 169, 163, 179], // swapon, swapoff, reboot, acct, quotactl
    ...[175, 313, 176, 246, 320], // init_module, finit_module, delete_module, kexec_load, kexec_file_load
    ...[172, 173, 154], // iopl, ioperm, modify_ldt
    ...[164, 227, 305, 159], // settimeofday, clock_settime, clock_adjtime, adjtimex
    ...[170, 171, 103, 153], // sethostname, setdomainname, syslog, vhangup
    ...[134, 136, 139, 180, 212], // uselib, ustat, sysfs, nfsservctl, lookup_dcookie
    ...[303, 304, 300, 301], // name_to_handle_at, open_by_handle_at, fanotify_init, fanotify_mark
    ...[279, 256, 237, 238, 216, 278], // move_pages, migrate_pages, mbind, set_mempolicy, remap_file_pages, vmsplice
    ...[29, 30, 31, 64, 65, 66], // shmget, shmat, shmctl, semget, semop, semctl
    ...[68, 69, 70, 240, 241], // msgget, msgsnd, msgrcv, mq_open, mq_unlink
  ],
};

const AARCH64: SystemCalls = {
  audit: 0xc00000b7,
  seccomp: 277,
  clone: 220,
  clone3: 435,
  socketpair: 199,
  refused: [
    ...NEWER,
    281, // execveat
    ...[198, 203, 200, 201, 202, 242], // socket, connect, bind, listen, accept, accept4
    ...[117, 270, 271, 272], // ptrace, process_vm_readv, process_vm_writev, kcmp
    ...[241, 280, 282, 217, 218, 219], // perf_event_open, bpf, userfaultfd, add_key, request_key, keyctl
    ...[40, 39, 41, 51, 268, 97], // mount, umount2, pivot_root, chroot, setns, unshare
    ...[224, 225, 142, 89, 60], // swapon, swapoff, reboot, acct, quotactl
    ...[105, 273, 106, 104, 294], // init_module, finit_module, delete_module, kexec_load, kexec_file_load
    ...[170, 112, 266, 171], // settimeofday, clock_settime, clock_adjtime, adjtimex
    ...[161, 162, 116, 58], // sethostname, setdomainname, syslog, vhangup
    ...[42, 18], // nfsservctl, lookup_dcookie
    ...[264, 265, 262, 263], // name_to_handle_at, open_by_handle_at, fanotify_init, fanotify_mark
    ...[239, 238, 235, 237, 234, 75], // move_pages, migrate_pages, mbind, set_mempolicy, remap_file_pages, vmsplice
    ...[194, 196, 195, 190, 193, 191], // shmget, shmat, shmctl, semget, semop, semctl
    ...[186, 189, 188, 180, 181], // msgget, msgsnd, msgrcv, mq_open, mq_unlink
  ],
};

/** The calls of a processor, by Deno's name of it; undefined: Berth does not know it. */
export function systemCallsOf(arch: string): SystemCalls | undefined {
  return { x86_64: X86_64, aarch64: AARCH64 }[arch];
}
