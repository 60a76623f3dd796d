/**
 * Programs that a caller chooses, or whose text or options it gives, by whatever library starts them:
 * each form is a server whose audit has a finding that fails the scan. Honest servers that start
 * programs pass.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { fails, scan } from "./scanned_servers.ts";
import { startingServer } from "./starting_servers.ts";

/** What starts a program, and the module's body; `X` is the caller's word. */
const FORMS: [string, string][] = [
  ["sh.bash -c", `import sh\ndef t(X: str):\n    sh.bash("-c",X)`],
  ["sh.Command", `import sh\ndef t(X: str):\n    sh.Command(X)()`],
  ["from sh import bash", `from sh import bash\ndef t(X: str):\n    bash("-c",X)`],
  ["from sh import ssh", `from sh import ssh\ndef t(X: str):\n    ssh("host",X)`],
  ["sh.sudo", `import sh\ndef t(X: str):\n    sh.sudo("sh","-c",X)`],
  ["sh getattr", `import sh\ndef t(X: str):\n    getattr(sh,X)()`],
  ["sh bake", `import sh\ndef t(X: str):\n    b=sh.bash.bake("-c")\n    b(X)`],
  ["sh python -c", `import sh\ndef t(X: str):\n    sh.python3("-c",X)`],
  ["sh stdin", `import sh\ndef t(X: str):\n    sh.bash(_in=X)`],
  ["plumbum local[x]", `from plumbum import local\ndef t(X: str):\n    local[X]()`],
  ["plumbum sh -c", `from plumbum import local\ndef t(X: str):\n    local["sh"]["-c",X]()`],
  [
    "plumbum sh name",
    `from plumbum import local\ndef t(X: str):\n    sh=local["sh"]\n    sh("-c",X)`,
  ],
  ["plumbum cmd import", `from plumbum.cmd import bash\ndef t(X: str):\n    bash("-c",X)`],
  ["plumbum cmd []", `from plumbum.cmd import bash\ndef t(X: str):\n    bash["-c",X]()`],
  ["plumbum cmd.run", `from plumbum.cmd import bash\ndef t(X: str):\n    bash["-c"][X].run()`],
  ["plumbum FG", `from plumbum import local, FG\ndef t(X: str):\n    local["bash"]["-c",X] & FG`],
  ["plumbum pipe", `from plumbum.cmd import echo, bash\ndef t(X: str):\n    (echo[X] | bash)()`],
  ["plumbum <<", `from plumbum.cmd import bash\ndef t(X: str):\n    (bash << X)()`],
  ["plumbum.local attr", `import plumbum\ndef t(X: str):\n    plumbum.local.cmd.bash("-c",X)`],
  ["plumbum remote", `from plumbum import SshMachine\ndef t(X: str):\n    SshMachine("h")[X]()`],
  ["plumbum local.get", `from plumbum import local\ndef t(X: str):\n    local.get(X)()`],
  [
    "fabric Connection.run",
    `from fabric import Connection\ndef t(X: str):\n    Connection("h").run(X)`,
  ],
  [
    "fabric c.run",
    `from fabric import Connection\ndef t(X: str):\n    c=Connection("h")\n    c.run(f"ls {X}")`,
  ],
  [
    "fabric with",
    `from fabric import Connection\ndef t(X: str):\n    with Connection("h") as c:\n        c.sudo(X)`,
  ],
  ["fabric local", `import fabric\ndef t(X: str):\n    c=fabric.Connection("h")\n    c.local(X)`],
  ["fabric group", `from fabric import SerialGroup\ndef t(X: str):\n    SerialGroup("a").run(X)`],
  ["fabric1", `from fabric.api import run, local\ndef t(X: str):\n    local(X)`],
  ["fabric1 run", `from fabric.api import run\ndef t(X: str):\n    run(X)`],
  ["fabric1 ops", `from fabric.operations import sudo\ndef t(X: str):\n    sudo(X)`],
  ["invoke.run", `import invoke\ndef t(X: str):\n    invoke.run(X)`],
  ["invoke from", `from invoke import run\ndef t(X: str):\n    run(f"ls {X}")`],
  ["invoke Context", `from invoke import Context\ndef t(X: str):\n    Context().run(X)`],
  ["invoke ctx", `import invoke\ndef t(X: str):\n    c=invoke.Context()\n    c.sudo(X)`],
  [
    "invoke task",
    `from invoke import task\n@task\ndef b(c, x): c.run(x)\ndef t(X: str):\n    b(None,X)`,
  ],
  ["pexpect.run", `import pexpect\ndef t(X: str):\n    pexpect.run(X)`],
  ["pexpect.spawn", `import pexpect\ndef t(X: str):\n    pexpect.spawn(X)`],
  ["pexpect.spawn fstring", `import pexpect\ndef t(X: str):\n    pexpect.spawn(f"ls {X}")`],
  ["pexpect.spawn list", `import pexpect\ndef t(X: str):\n    pexpect.spawn("bash",["-c",X])`],
  ["pexpect.runu", `import pexpect\ndef t(X: str):\n    pexpect.runu(X)`],
  ["pexpect.spawnu", `import pexpect\ndef t(X: str):\n    pexpect.spawnu(X)`],
  [
    "pexpect sendline",
    `import pexpect\ndef t(X: str):\n    p=pexpect.spawn("bash")\n    p.sendline(X)`,
  ],
  ["popen_spawn", `from pexpect import popen_spawn\ndef t(X: str):\n    popen_spawn.PopenSpawn(X)`],
  ["replwrap", `from pexpect import replwrap\ndef t(X: str):\n    replwrap.bash().run_command(X)`],
  [
    "pxssh",
    `from pexpect import pxssh\ndef t(X: str):\n    s=pxssh.pxssh()\n    s.login("h","u")\n    s.sendline(X)`,
  ],
  ["wexpect", `import wexpect\ndef t(X: str):\n    wexpect.spawn(X)`],
  [
    "ptyprocess",
    `import ptyprocess\ndef t(X: str):\n    ptyprocess.PtyProcess.spawn(["bash","-c",X])`,
  ],
  [
    "ptyprocess X",
    `from ptyprocess import PtyProcessUnicode\ndef t(X: str):\n    PtyProcessUnicode.spawn([X])`,
  ],
  [
    "ptyprocess write",
    `from ptyprocess import PtyProcess\ndef t(X: str):\n    p=PtyProcess.spawn(["bash"])\n    p.write(X)`,
  ],
  ["winpty", `import winpty\ndef t(X: str):\n    winpty.PtyProcess.spawn(X)`],
  ["anyio run_process str", `import anyio\nasync def t(X: str):\n    await anyio.run_process(X)`],
  [
    "anyio run_process f",
    `import anyio\nasync def t(X: str):\n    await anyio.run_process(f"ls {X}")`,
  ],
  ["anyio open_process", `import anyio\nasync def t(X: str):\n    await anyio.open_process(X)`],
  ["anyio sh", `import anyio\nasync def t(X: str):\n    await anyio.run_process(["sh","-c",X])`],
  [
    "trio run_process",
    `import trio\nasync def t(X: str):\n    await trio.run_process(X,shell=True)`,
  ],
  ["trio sh", `import trio\nasync def t(X: str):\n    await trio.run_process(["sh","-c",X])`],
  [
    "trio lowlevel",
    `import trio\nasync def t(X: str):\n    await trio.lowlevel.open_process(["sh","-c",X])`,
  ],
  ["trio X", `import trio\nasync def t(X: str):\n    await trio.run_process(X)`],
  [
    "asyncio.subprocess.create_subprocess_shell",
    `from asyncio import subprocess\nasync def t(X: str):\n    await subprocess.create_subprocess_shell(X)`,
  ],
  ["delegator", `import delegator\ndef t(X: str):\n    delegator.run(X)`],
  ["delegator chain", `import delegator\ndef t(X: str):\n    delegator.chain(X)`],
  ["sarge", `import sarge\ndef t(X: str):\n    sarge.run(X,shell=True)`],
  ["sarge run", `from sarge import run\ndef t(X: str):\n    run(f"ls {X}")`],
  ["sarge capture", `from sarge import capture_stdout\ndef t(X: str):\n    capture_stdout(X)`],
  ["sarge Command", `from sarge import Command\ndef t(X: str):\n    Command(X).run()`],
  ["sarge Pipeline", `from sarge import Pipeline\ndef t(X: str):\n    Pipeline(X).run()`],
  ["envoy", `import envoy\ndef t(X: str):\n    envoy.run(X)`],
  [
    "paramiko",
    `import paramiko\ndef t(X: str):\n    c=paramiko.SSHClient()\n    c.connect("h")\n    c.exec_command(X)`,
  ],
  [
    "paramiko chan",
    `import paramiko\ndef t(X: str):\n    t=paramiko.Transport(("h",22))\n    ch=t.open_session()\n    ch.exec_command(X)`,
  ],
  [
    "paramiko invoke_shell",
    `import paramiko\ndef t(X: str):\n    c=paramiko.SSHClient()\n    ch=c.invoke_shell()\n    ch.send(X)`,
  ],
  ["paramiko ProxyCommand", `import paramiko\ndef t(X: str):\n    paramiko.ProxyCommand(X)`],
  [
    "paramiko global",
    `import paramiko\nclass S:\n    def __init__(self): self.c=paramiko.SSHClient()\n    def go(self,x): return self.c.exec_command(x)\ns=S()\ndef t(X: str):\n    s.go(X)`,
  ],
  [
    "asyncssh",
    `import asyncssh\nasync def t(X: str):\n    async with asyncssh.connect("h") as c:\n        await c.run(X)`,
  ],
  [
    "asyncssh create_process",
    `import asyncssh\nasync def t(X: str):\n    c=await asyncssh.connect("h")\n    await c.create_process(X)`,
  ],
  [
    "docker exec_run",
    `import docker\ndef t(X: str):\n    docker.from_env().containers.get("a").exec_run(X)`,
  ],
  [
    "docker exec_run sh",
    `import docker\ndef t(X: str):\n    c=docker.from_env().containers.get("a")\n    c.exec_run(["sh","-c",X])`,
  ],
  ["docker run", `import docker\ndef t(X: str):\n    docker.from_env().containers.run("alpine",X)`],
  [
    "docker api exec_create",
    `import docker\ndef t(X: str):\n    c=docker.APIClient()\n    c.exec_create("a",X)`,
  ],
  [
    "docker f",
    `import docker\ndef t(X: str):\n    client=docker.from_env()\n    c=client.containers.get("a")\n    c.exec_run(f"ls {X}")`,
  ],
  [
    "k8s exec",
    `from kubernetes import client\nfrom kubernetes.stream import stream\ndef t(X: str):\n    stream(client.CoreV1Api().connect_get_namespaced_pod_exec,"p","d",command=["/bin/sh","-c",X])`,
  ],
  [
    "k8s exec X",
    `from kubernetes import client, stream\ndef t(X: str):\n    stream.stream(client.CoreV1Api().connect_get_namespaced_pod_exec,"p","d",command=X)`,
  ],
  ["pty.spawn", `import pty\ndef t(X: str):\n    pty.spawn(X)`],
  ["posix_spawn", `import os\ndef t(X: str):\n    os.posix_spawn(X,[X],{})`],
  ["posix_spawnp", `import os\ndef t(X: str):\n    os.posix_spawnp("sh",["sh","-c",X],{})`],
  ["spawnl", `import os\ndef t(X: str):\n    os.spawnl(os.P_WAIT,"/bin/sh","sh","-c",X)`],
  ["spawnv", `import os\ndef t(X: str):\n    os.spawnv(os.P_WAIT,X,[X])`],
  ["startfile", `import os\ndef t(X: str):\n    os.startfile(X)`],
  [
    "mp target",
    `import multiprocessing, importlib\ndef t(X: str):\n    m,f=X.split(":")\n    multiprocessing.Process(target=getattr(importlib.import_module(m),f)).start()`,
  ],
  [
    "mp target os.system",
    `import multiprocessing, os\ndef t(X: str):\n    multiprocessing.Process(target=os.system,args=(X,)).start()`,
  ],
  [
    "mp set_executable",
    `import multiprocessing\ndef t(X: str):\n    multiprocessing.set_executable(X)\n    multiprocessing.Process(target=print).start()`,
  ],
  [
    "distutils.spawn",
    `from distutils.spawn import spawn\ndef t(X: str):\n    spawn(["sh","-c",X])`,
  ],
  ["commands", `import commands\ndef t(X: str):\n    commands.getoutput(X)`],
  ["commands2", `import commands\ndef t(X: str):\n    commands.getstatusoutput(X)`],
  ["popen2", `import popen2\ndef t(X: str):\n    popen2.popen3(X)`],
  ["platform.popen", `import platform\ndef t(X: str):\n    platform.popen(X)`],
  ["ctypes system", `import ctypes\ndef t(X: str):\n    ctypes.CDLL(None).system(X.encode())`],
  ["ctypes dll X", `import ctypes\ndef t(X: str):\n    ctypes.CDLL(X)`],
  ["ctypes cdll.LoadLibrary", `import ctypes\ndef t(X: str):\n    ctypes.cdll.LoadLibrary(X)`],
  [
    "ctypes libc name",
    `import ctypes, ctypes.util\ndef t(X: str):\n    l=ctypes.CDLL(ctypes.util.find_library("c"))\n    l.system(X.encode())`,
  ],
  [
    "a loader of one system, looked up, that starts a program",
    `import ctypes\ndef t(X: str):\n    getattr(ctypes, "WinDLL")("kernel32").WinExec(X.encode(), 1)`,
  ],
  [
    "a loader of every system, looked up, that runs a shell",
    `import ctypes\ndef t(X: str):\n    getattr(ctypes, "CDLL")(None).system(X.encode())`,
  ],
  [
    "ctypes windll",
    `import ctypes\ndef t(X: str):\n    ctypes.windll.shell32.ShellExecuteW(None,"open",X,None,None,1)`,
  ],
  [
    "ctypes kernel32 WinExec",
    `import ctypes\ndef t(X: str):\n    ctypes.windll.kernel32.WinExec(X.encode(),1)`,
  ],
  ["ctypes msvcrt", `import ctypes\ndef t(X: str):\n    ctypes.cdll.msvcrt.system(X.encode())`],
  [
    "cffi",
    `import cffi\ndef t(X: str):\n    ffi=cffi.FFI()\n    ffi.cdef("int system(const char*);")\n    ffi.dlopen(None).system(X.encode())`,
  ],
  ["cffi dlopen X", `from cffi import FFI\ndef t(X: str):\n    FFI().dlopen(X)`],
  ["cffi verify", `from cffi import FFI\ndef t(X: str):\n    FFI().verify(X)`],
  ["git execute", `import git\ndef t(X: str):\n    git.Git().execute(X)`],
  ["git execute list", `import git\ndef t(X: str):\n    git.Git(".").execute(["sh","-c",X])`],
  [
    "git repo.git.execute",
    `import git\ndef t(X: str):\n    repo=git.Repo(".")\n    repo.git.execute(X, shell=True)`,
  ],
  [
    "git multi_options",
    `import git\ndef t(X: str):\n    git.Repo.clone_from("u","d",multi_options=[X],allow_unsafe_options=True)`,
  ],
  [
    "git clone url ext",
    `import git\ndef t(X: str):\n    git.Repo.clone_from(X,"d",allow_unsafe_protocols=True)`,
  ],
  [
    "list2cmdline",
    `import subprocess, os\ndef t(X: str):\n    os.system(subprocess.list2cmdline([X]))`,
  ],
  [
    "shlex.join",
    `import shlex, subprocess\ndef t(X: str):\n    subprocess.run(shlex.join([X,"-l"]),shell=True)`,
  ],
  ["shlex.join list", `import shlex, os\ndef t(X: list[str]):\n    os.system(shlex.join(X))`],
  ["shlex.split", `import shlex, subprocess\ndef t(X: str):\n    subprocess.run(shlex.split(X))`],
  ["split", `import subprocess\ndef t(X: str):\n    subprocess.run(X.split())`],
  ["split var", `import subprocess\ndef t(X: str):\n    c=X.split()\n    subprocess.run(c)`],
  ["list arg", `import subprocess\ndef t(X: list[str]):\n    subprocess.run(X)`],
  ["xonsh", `import xonsh.main\ndef t(X: str):\n    xonsh.execer.Execer().exec(X)`],
  [
    "xonsh subproc",
    `from xonsh.built_ins import subproc_captured_stdout\ndef t(X: str):\n    subproc_captured_stdout([X])`,
  ],
  [
    "ansible_runner",
    `import ansible_runner\ndef t(X: str):\n    ansible_runner.run(module="shell",module_args=X,host_pattern="localhost")`,
  ],
  [
    "ansible run_command",
    `import ansible_runner\ndef t(X: str):\n    ansible_runner.run_command(executable_cmd=X)`,
  ],
  [
    "ansible interface",
    `from ansible_runner import run_async\ndef t(X: str):\n    run_async(playbook=X)`,
  ],
  ["shellcommand eval", `import code, sys\ndef t(X: str):\n    code.InteractiveConsole().push(X)`],
  ["nt popen", `import os\ndef t(X: str):\n    os.popen4(X)`],
  ["subprocess32", `import subprocess32\ndef t(X: str):\n    subprocess32.run(X,shell=True)`],
  ["gevent", `from gevent import subprocess\ndef t(X: str):\n    subprocess.run(X,shell=True)`],
  [
    "gevent.os",
    `import gevent.subprocess as sp\ndef t(X: str):\n    sp.check_output(X,shell=True)`,
  ],
  [
    "eventlet",
    `from eventlet.green import subprocess\ndef t(X: str):\n    subprocess.Popen(X,shell=True)`,
  ],
  [
    "tornado",
    `from tornado.process import Subprocess\ndef t(X: str):\n    Subprocess(X,shell=True)`,
  ],
  [
    "tornado sh",
    `from tornado.process import Subprocess\ndef t(X: str):\n    Subprocess(["sh","-c",X])`,
  ],
  [
    "twisted",
    `from twisted.internet import utils\ndef t(X: str):\n    utils.getProcessOutput("/bin/sh",("-c",X))`,
  ],
  [
    "twisted spawnProcess",
    `from twisted.internet import reactor\ndef t(X: str):\n    reactor.spawnProcess(None,"/bin/sh",["sh","-c",X])`,
  ],
  ["psutil", `import psutil\ndef t(X: str):\n    psutil.Popen(X,shell=True)`],
  ["psutil list", `import psutil\ndef t(X: str):\n    psutil.Popen(["sh","-c",X])`],
  ["shellingham", `import click\ndef t(X: str):\n    click.launch(X)`],
  ["click.edit", `import click\ndef t(X: str):\n    click.edit(editor=X)`],
  ["typer.launch", `import typer\ndef t(X: str):\n    typer.launch(X)`],
  ["os.execlp", `import os\ndef t(X: str):\n    os.execlp(X,X)`],
  ["subprocess.getoutput", `import subprocess\ndef t(X: str):\n    subprocess.getoutput(X)`],
  [
    "setuptools",
    `from setuptools import distutils\ndef t(X: str):\n    distutils.spawn.spawn([X])`,
  ],
  ["nox", `import nox\ndef t(X: str):\n    nox.command.run([X])`],
  [
    "salt",
    `import salt.client\ndef t(X: str):\n    salt.client.LocalClient().cmd("*","cmd.run",[X])`,
  ],
  [
    "netmiko",
    `from netmiko import ConnectHandler\ndef t(X: str):\n    c=ConnectHandler(host="h")\n    c.send_command(X)`,
  ],
  [
    "pssh",
    `from pssh.clients import ParallelSSHClient\ndef t(X: str):\n    ParallelSSHClient(["h"]).run_command(X)`,
  ],
  ["spur", `import spur\ndef t(X: str):\n    spur.LocalShell().run(["sh","-c",X])`],
  ["winrm", `import winrm\ndef t(X: str):\n    winrm.Session("h",auth=("u","p")).run_cmd(X)`],
  [
    "winrm ps",
    `import winrm\ndef t(X: str):\n    s=winrm.Session("h",auth=("u","p"))\n    s.run_ps(X)`,
  ],
  ["pywin32", `import win32api\ndef t(X: str):\n    win32api.WinExec(X)`],
  [
    "pywin32 ShellExecute",
    `import win32api\ndef t(X: str):\n    win32api.ShellExecute(0,"open",X,None,".",0)`,
  ],
  ["wmi", `import wmi\ndef t(X: str):\n    wmi.WMI().Win32_Process.Create(CommandLine=X)`],
  [
    "wscript",
    `import win32com.client\ndef t(X: str):\n    win32com.client.Dispatch("WScript.Shell").Run(X)`,
  ],
  [
    "win32process",
    `import win32process\ndef t(X: str):\n    win32process.CreateProcess(None,X,None,None,0,0,None,None,None)`,
  ],
  [
    "_winapi",
    `import _winapi\ndef t(X: str):\n    _winapi.CreateProcess(None,X,None,None,False,0,None,None,None)`,
  ],
  ["subprocess_tee", `from subprocess_tee import run\ndef t(X: str):\n    run(X)`],
  [
    "command_runner",
    `from command_runner import command_runner\ndef t(X: str):\n    command_runner(X)`,
  ],
  ["easyprocess", `from easyprocess import EasyProcess\ndef t(X: str):\n    EasyProcess(X).call()`],
  [
    "shellpy pipes.Template",
    `import pipes\ndef t(X: str):\n    t=pipes.Template()\n    t.append(X,"--")`,
  ],
  ["idlelib", `import pydoc\ndef t(X: str):\n    pydoc.pipepager("x",X)`],
  ["pydoc tempfilepager", `import pydoc\ndef t(X: str):\n    pydoc.tempfilepager("x",X)`],
  [
    "mailcap",
    `import mailcap, os\ndef t(X: str):\n    c,e=mailcap.findmatch(mailcap.getcaps(),"a/b",filename=X)\n    os.system(c)`,
  ],
  ["webbrowser.get", `import webbrowser\ndef t(X: str):\n    webbrowser.get(X).open("x")`],
  [
    "webbrowser.register",
    `import webbrowser\ndef t(X: str):\n    webbrowser.register("x",None,webbrowser.GenericBrowser(X))`,
  ],
  ["smtplib sendmail -be", `import imaplib\ndef t(X: str):\n    imaplib.IMAP4_stream(X)`],
  ["os.popen w", `import os\ndef t(X: str):\n    p=os.popen("sh","w")\n    p.write(X)`],
  ["subprocess bin", `import subprocess\ndef t(X: str):\n    subprocess.run(f"/opt/tools/{X}")`],
  [
    "subprocess [f-prog]",
    `import subprocess\ndef t(X: str):\n    subprocess.run([f"./scripts/{X}.sh"])`,
  ],
  ["subprocess str prog", `import subprocess\ndef t(X: str):\n    subprocess.run(X)`],
  [
    "Popen var list",
    `import subprocess\ndef t(X: str):\n    cmd=[X,"-l"]\n    subprocess.Popen(cmd)`,
  ],
  [
    "program arg + args",
    `import subprocess\ndef t(X: str, args: list[str]):\n    cmd=[X]+args\n    subprocess.run(cmd)`,
  ],
  [
    "program splat",
    `import subprocess\ndef t(X: str, args: list[str]):\n    cmd=[X,*args]\n    subprocess.run(cmd)`,
  ],
  [
    "create_subprocess_exec splat",
    `import asyncio\nasync def t(X: list[str]):\n    await asyncio.create_subprocess_exec(*X)`,
  ],
  [
    "create_subprocess_exec split",
    `import asyncio, shlex\nasync def t(X: str):\n    await asyncio.create_subprocess_exec(*shlex.split(X))`,
  ],
  [
    "config class",
    `import subprocess\ndef go(cmd):\n    return subprocess.run(cmd, capture_output=True)\ndef t(X: list[str]):\n    return go(X)`,
  ],
  ["list comp", `def t(X: str):\n    subprocess.run([w for w in X.split(" ")])`],
  ["map str", `def t(X: str):\n    subprocess.run(list(map(str, X.split())))`],
  ["json cmd", `def t(X: str):\n    subprocess.run(json.loads(X)["argv"])`],
  ["dict cmd var", `def t(X: str):\n    spec=json.loads(X)\n    subprocess.run(spec["argv"])`],
  [
    "pydantic param",
    `from pydantic import BaseModel\nclass R(BaseModel):\n    argv: list[str]\ndef t(r: R):\n    subprocess.run(r.argv)`,
  ],
  [
    "empty list append first",
    `def t(X: str):\n    cmd=[]\n    cmd.append(X)\n    cmd.append("-l")\n    subprocess.run(cmd)`,
  ],
  ["insert", `def t(X: str):\n    cmd=["-l"]\n    cmd.insert(0,X)\n    subprocess.run(cmd)`],
  ["sudo", `def t(X: str):\n    subprocess.run(["sudo",X])`],
  ["env prog", `def t(X: str):\n    subprocess.run(["env","A=1",X])`],
  ["nohup", `def t(X: str):\n    subprocess.Popen(["nohup",X,"&"])`],
  ["at stdin", `def t(X: str):\n    subprocess.run(["at","now"],input=X,text=True)`],
  ["crontab stdin", `def t(X: str):\n    subprocess.run(["crontab","-"],input=X,text=True)`],
  ["parallel stdin", `def t(X: str):\n    subprocess.run(["parallel"],input=X,text=True)`],
  ["find -exec", `def t(X: str):\n    subprocess.run(["find",".","-exec",X,"{}",";"])`],
  ["tmux send-keys", `def t(X: str):\n    subprocess.run(["tmux","send-keys","-t","0",X,"Enter"])`],
  ["screen stuff", `def t(X: str):\n    subprocess.run(["screen","-S","s","-X","stuff",X])`],
  ["systemd-run", `def t(X: str):\n    subprocess.run(["systemd-run","--user",X])`],
  ["schtasks", `def t(X: str):\n    subprocess.run(["schtasks","/create","/tn","x","/tr",X])`],
  ["wmic", `def t(X: str):\n    subprocess.run(["wmic","process","call","create",X])`],
  ["heredoc", `def t(X: str):\n    os.system("bash <<EOF\\n%s\\nEOF" % X)`],
  [
    "transformers trust_remote_code",
    `from transformers import AutoModel\ndef t(X: str):\n    AutoModel.from_pretrained(X,trust_remote_code=True)`,
  ],
  [
    "Popen kwargs args",
    `def t(X: str):\n    kw={"args":[X],"shell":False}\n    subprocess.Popen(**kw)`,
  ],
  [
    "partial",
    `import functools\nrun=functools.partial(subprocess.run,capture_output=True)\ndef t(X: str):\n    run([X,"-l"])`,
  ],
  [
    "asyncio loop.subprocess_exec",
    `def t(X: str):\n    asyncio.get_event_loop().subprocess_exec(asyncio.SubprocessProtocol,X)`,
  ],
  [
    "concurrent ProcessPool",
    `from concurrent.futures import ProcessPoolExecutor\ndef t(X: str):\n    ProcessPoolExecutor().submit(os.system,X)`,
  ],
  ["import sh alias getattr str", `import sh\ndef t(X: str):\n    sh.__getattr__(X)()`],
  [
    "fabric Config",
    `from fabric import Connection\nC=Connection('h')\ndef go(c): return C.run(c)\ndef t(X: str):\n    return go(X)`,
  ],
  [
    "class attr client",
    `import docker\nclass D:\n    def __init__(self): self.cl=docker.from_env()\n    def ex(self,n,c): return self.cl.containers.get(n).exec_run(c)\nd=D()\ndef t(X: str):\n    return d.ex("a",X)`,
  ],
  ["subprocess Popen positional exec", `def t(X: str):\n    subprocess.Popen(["ls"],-1,X)`],
  ["lambda run", `run=lambda c: subprocess.run(c)\ndef t(X: str):\n    return run(X.split())`],
  ["walrus", `def t(X: str):\n    subprocess.run((c := shlex.split(X)))`],
  ["type alias tuple", `def t(X: str):\n    subprocess.run((X,))`],
  ["Path program", `def t(X: str):\n    subprocess.run([Path("bin")/X])`],
  ["which", `def t(X: str):\n    subprocess.run([shutil.which(X) or "ls"])`],
  ["executemany shell=cfg", `def t(X: str):\n    subprocess.run(X,shell=bool(1))`],
  [
    "stdio client",
    `from mcp import StdioServerParameters\ndef t(X: str):\n    StdioServerParameters(command=X,args=[])`,
  ],
  [
    "stdio npx",
    `from mcp import StdioServerParameters\ndef t(X: str):\n    StdioServerParameters(command="npx",args=["-y",X])`,
  ],
  [
    "fastmcp client script",
    `from fastmcp import Client\nfrom fastmcp.client.transports import PythonStdioTransport\ndef t(X: str):\n    Client(PythonStdioTransport(X))`,
  ],
  [
    "stdio sh",
    `from mcp import StdioServerParameters\ndef t(X: str):\n    StdioServerParameters(command="bash",args=["-c",X])`,
  ],
  [
    "input() to sh",
    `def t(X: str):\n    subprocess.run("sh",stdin=subprocess.PIPE,input=X,text=True)`,
  ],
  ["exec -a", `def t(X: str):\n    os.system("exec "+X)`],
  [
    "decoded program",
    `import base64\ndef t(X: str):\n    subprocess.run([base64.b64decode("YmFzaA==").decode(),"x"])`,
  ],
  [
    "decoded sh -c",
    `import base64\ndef t(X: str):\n    subprocess.run(["sh","-c",base64.b64decode("aWQ=").decode()])`,
  ],
  [
    "network sh -c",
    `def t(X: str):\n    subprocess.run(["sh","-c",requests.get("https://x").text])`,
  ],
  [
    "a helper that hands on, by name",
    `def h(c): return c
def t(X: str):
    cmd=h(X)
    subprocess.run(cmd)`,
  ],
  [
    "a helper that splits, by name",
    `def h(c):
    return shlex.split(c)
def t(X: str):
    cmd=h(X)
    subprocess.run(cmd)`,
  ],
  [
    "a helper that builds a list, by name",
    `def h(c, *more):
    parts=[c]
    parts.extend(more)
    return parts
def t(X: str):
    cmd=h(X,"-l")
    subprocess.Popen(cmd)`,
  ],
  [
    "a helper of a helper",
    `def g(c): return c.strip()
def h(c): return g(c)
def t(X: str):
    cmd=h(X)
    subprocess.run(cmd.split())`,
  ],
  [
    "a helper with a keyword",
    `def h(a, c=None):
    out=c
    return out
def t(X: str):
    cmd=h(1,c=X)
    subprocess.run([cmd])`,
  ],
  [
    "a method that hands on",
    `class B:
    def build(self, c): return [c]
b=B()
def t(X: str):
    cmd=b.build(X)
    subprocess.run(cmd)`,
  ],
  [
    "an async helper",
    `async def h(c): return [c]
async def t(X: str):
    cmd=await h(X)
    await asyncio.create_subprocess_exec(*cmd)`,
  ],
  [
    "a lambda helper",
    `h=lambda c: [c]
def t(X: str):
    cmd=h(X)
    subprocess.run(cmd)`,
  ],
  [
    "docker image",
    `import docker
def t(X: str):
    docker.from_env().containers.run(X)`,
  ],
  [
    "docker image=",
    `import docker
def t(X: str):
    client=docker.from_env()
    client.containers.run(image=X, detach=True)`,
  ],
  [
    "docker image create",
    `import docker
client=docker.DockerClient()
def t(X: str):
    c=client.containers.create(X)
    c.start()`,
  ],
  [
    "docker low level",
    `import docker
def t(X: str):
    docker.APIClient().create_container(image=X)`,
  ],
  [
    "docker build from text",
    `import docker, io
def t(X: str):
    docker.from_env().images.build(fileobj=io.BytesIO(X.encode()))`,
  ],
  [
    "docker volumes",
    `import docker
def t(X: str):
    docker.from_env().containers.run("alpine", X)`,
  ],
  [
    "podman image",
    `import podman
def t(X: str):
    podman.PodmanClient().containers.run(X)`,
  ],
  [
    "a function called validate that does nothing",
    `def validate(x): return x
def t(X: str):
    validate(X)
    subprocess.run(shlex.split(X))`,
  ],
  [
    "a function called check that logs",
    `import logging
def check_command(x):
    logging.info("checking %s", x)
    return True
def t(X: str):
    check_command(X)
    subprocess.run(X, shell=True)`,
  ],
  [
    "a function called sanitize that strips",
    `def sanitize(x):
    return x.strip()
def t(X: str):
    cmd=sanitize(X)
    subprocess.run(shlex.split(cmd))`,
  ],
  [
    "a validator whose answer nobody uses",
    `ALLOWED={"ls"}
def is_valid(x):
    return x in ALLOWED
def t(X: str):
    is_valid(X)
    subprocess.run(shlex.split(X))`,
  ],
  [
    "a validator that only refuses what is empty",
    `def validate(x):
    if not x:
        raise ValueError("empty")
def t(X: str):
    validate(X)
    subprocess.run(shlex.split(X))`,
  ],
  [
    "a validator that only refuses by length",
    `def validate(x):
    if len(x) > 1000:
        raise ValueError("long")
def t(X: str):
    validate(X)
    subprocess.run(shlex.split(X))`,
  ],
  [
    "a validator that always says yes",
    `def is_safe(x):
    return True
def t(X: str):
    if not is_safe(X):
        return "no"
    subprocess.run(shlex.split(X))`,
  ],
  [
    "pydantic model_validate_json",
    `from pydantic import BaseModel
class M(BaseModel):
    cmd: str
def t(X: str):
    m=M.model_validate_json(X)
    subprocess.run(shlex.split(m.cmd))`,
  ],
  [
    "pydantic model_validate",
    `from pydantic import BaseModel
class M(BaseModel):
    cmd: str
def t(X: str):
    m=M.model_validate({"cmd": X})
    subprocess.run(shlex.split(m.cmd))`,
  ],
  [
    "a TypeAdapter",
    `from pydantic import TypeAdapter
def t(X: str):
    v=TypeAdapter(str).validate_python(X)
    subprocess.run(shlex.split(v))`,
  ],
  [
    "a method called validate that does nothing",
    `class S:
    def _validate(self, x):
        self.last=x
        return x
    def go(self, x):
        self._validate(x)
        subprocess.run(shlex.split(x))
s=S()
def t(X: str):
    s.go(X)`,
  ],
  [
    "logger check",
    `import logging
log=logging.getLogger()
def t(X: str):
    log.info("verify %s", X)
    print_safe=print
    print_safe(X)
    subprocess.run(shlex.split(X))`,
  ],
  [
    "html.escape before a shell",
    `import html
def t(X: str):
    html.escape(X)
    subprocess.run(shlex.split(X))`,
  ],
  [
    "json schema",
    `import jsonschema
def t(X: str):
    jsonschema.validate(X, {"type":"string"})
    subprocess.run(shlex.split(X))`,
  ],
  [
    "a validator that is commented on",
    `def ensure_safe(x):
    """Raises ValueError for unsafe input."""
    pass
def t(X: str):
    ensure_safe(X)
    eval(X)`,
  ],
  [
    "startswith on nothing",
    `def t(X: str):
    if X.startswith("#"):
        return ""
    subprocess.run(shlex.split(X))`,
  ],
  [
    "isdigit in wrong sense",
    `def t(X: str):
    if X.isdigit():
        return "a number"
    subprocess.run(shlex.split(X))`,
  ],
  [
    "xargs input",
    `def t(X: str):
    subprocess.run(["xargs","sh","-c"],input=X,text=True)`,
  ],
  [
    "xargs -I",
    `def t(X: str):
    subprocess.run(["xargs","-I{}","sh","-c","{}"],input=X.encode())`,
  ],
  [
    "xargs env",
    `def t(X: str):
    p=subprocess.Popen(["xargs","env"],stdin=subprocess.PIPE)
    p.communicate(X.encode())`,
  ],
  [
    "parallel",
    `def t(X: str):
    subprocess.run(["parallel"],input=X,text=True)`,
  ],
  [
    "trust_remote_code",
    `from transformers import AutoModel
def t(X: str):
    AutoModel.from_pretrained(X, trust_remote_code=True)`,
  ],
  [
    "trust_remote_code tokenizer",
    `from transformers import AutoTokenizer
def t(X: str):
    tok=AutoTokenizer.from_pretrained(pretrained_model_name_or_path=X, trust_remote_code=True)`,
  ],
  [
    "trust pipeline",
    `from transformers import pipeline
def t(X: str):
    return pipeline("text-generation", model=X, trust_remote_code=True)("a")`,
  ],
  [
    "trust datasets",
    `from datasets import load_dataset
def t(X: str):
    load_dataset(X, trust_remote_code=True)`,
  ],
  [
    "trust sentence_transformers",
    `from sentence_transformers import SentenceTransformer
def t(X: str):
    SentenceTransformer(X, trust_remote_code=True)`,
  ],
  [
    "trust kwargs",
    `from transformers import AutoModel
def t(X: str):
    kw={"trust_remote_code":True}
    AutoModel.from_pretrained(X, **kw)`,
  ],
  [
    "diffusers custom pipeline",
    `from diffusers import DiffusionPipeline
def t(X: str):
    DiffusionPipeline.from_pretrained("a/b", custom_pipeline=X)`,
  ],
  [
    "vllm",
    `from vllm import LLM
def t(X: str):
    LLM(model=X, trust_remote_code=True)`,
  ],
];

for (const [what, body] of FORMS) {
  Deno.test(`a program that the caller chooses by way of ${what} fails the scan`, async () => {
    const found = await scan({ "server.py": startingServer(body) });
    assert(fails(found), JSON.stringify(found));
  });
}

/** What honest servers have of the same shape. */
const HONEST: [string, string][] = [
  [
    "a sound that is fetched and played",
    `def t(X: str):\n    Path("s.mp3").write_bytes(requests.get("https://x.example/s").content)\n    os.startfile("s.mp3")`,
  ],
  ["git log", `def t(X: str):\n    subprocess.run(["git","log","--",X])`],
  [
    "git helper",
    `def run_git(args, cwd=None):\n    return subprocess.run(args, cwd=cwd, capture_output=True)\ndef t(X: str):\n    return run_git(["git","show",X])`,
  ],
  [
    "git helper star",
    `def git(*args):\n    return subprocess.run(['git', *args], capture_output=True)\ndef t(X: str):\n    return git("show", X)`,
  ],
  [
    "ffmpeg",
    `def t(X: str):\n    cmd=["ffmpeg","-i",X,"out.mp4"]\n    subprocess.run(cmd,check=True)`,
  ],
  [
    "cmd append",
    `def t(X: str):\n    cmd=["rg","--json"]\n    cmd.append(X)\n    cmd.extend(["-n", X])\n    subprocess.run(cmd)`,
  ],
  [
    "cmd empty append",
    `def t(X: str):\n    cmd=[]\n    cmd.append("rg")\n    cmd.append(X)\n    subprocess.run(cmd)`,
  ],
  [
    "LANG",
    `def t(X: str):\n    subprocess.run(["git","log",X],env={**os.environ,"LANG":"C","PYTHONUNBUFFERED":"1"})`,
  ],
  [
    "PATH fixed",
    `def t(X: str):\n    env=os.environ.copy()\n    env["PATH"]="/opt/homebrew/bin:"+env["PATH"]\n    subprocess.run(["ffmpeg","-i",X],env=env)`,
  ],
  ["cwd repo", `def t(X: str):\n    subprocess.run(["git","status"],cwd=X)`],
  ["cwd build", `def t(X: str):\n    subprocess.run(["make","test"],cwd=X)`],
  ["pytest", `def t(X: str):\n    subprocess.run(["pytest",X])`],
  ["pytest m", `def t(X: str):\n    subprocess.run([sys.executable,"-m","pytest",X])`],
  [
    "own script",
    `def t(X: str):\n    subprocess.run([sys.executable,str(Path(__file__).parent/"worker.py"),X])`,
  ],
  ["own script args", `def t(X: str):\n    subprocess.run(["node","render.js",X])`],
  ["bash script args", `def t(X: str):\n    subprocess.run(["bash","scripts/run.sh",X])`],
  [
    "written data pandoc",
    `def t(X: str):\n    Path("in.md").write_text(X)\n    subprocess.run(["pandoc","in.md","-o","out.pdf"])`,
  ],
  [
    "written tempfile mmdc",
    `def t(X: str):\n    with tempfile.NamedTemporaryFile("w",suffix=".mmd",delete=False) as f:\n        f.write(X)\n        p=f.name\n    subprocess.run(["mmdc","-i",p,"-o","o.png"])`,
  ],
  [
    "written then fixed script reads",
    `def t(X: str):\n    p=Path("data.json")\n    p.write_text(json.dumps({"q":X}))\n    subprocess.run([sys.executable,"tool.py",str(p)])`,
  ],
  [
    "written then node",
    `def t(X: str):\n    Path("data.json").write_text(X)\n    subprocess.run(["node","tool.js","data.json"])`,
  ],
  [
    "latex",
    `def t(X: str):\n    Path("a.tex").write_text(X)\n    subprocess.run(["pdflatex","a.tex"])`,
  ],
  ["dot", `def t(X: str):\n    subprocess.run(["dot","-Tpng"],input=X,text=True)`],
  [
    "stdin file",
    `def t(X: str):\n    open("x.txt","w").write(X)\n    subprocess.run(["sort"],stdin=open("x.txt"))`,
  ],
  [
    "download then ffmpeg",
    `def t(X: str):\n    r=requests.get("https://x.example/v")\n    Path("v.mp4").write_bytes(r.content)\n    subprocess.run(["ffmpeg","-i","v.mp4","o.gif"])`,
  ],
  [
    "client json arg",
    `def t(X: str):\n    with httpx.Client() as c:\n        d=c.get("https://x.example").json()\n    subprocess.run(["ffmpeg","-i",d["url"],"o.mp4"])`,
  ],
  ["yt-dlp", `def t(X: str):\n    subprocess.run(["yt-dlp","-o","%(title)s",X])`],
  ["kubectl", `def t(X: str):\n    subprocess.run(["kubectl","get","pods","-n",X])`],
  ["docker ps", `def t(X: str):\n    subprocess.run(["docker","logs",X])`],
  [
    "docker logs sdk",
    `import docker\ndef t(X: str):\n    return docker.from_env().containers.get(X).logs()`,
  ],
  [
    "docker exec fixed",
    `import docker\ndef t(X: str):\n    docker.from_env().containers.get(X).exec_run("ls /")`,
  ],
  [
    "docker exec arg",
    `import docker\ndef t(X: str):\n    docker.from_env().containers.get("a").exec_run(["cat",X])`,
  ],
  [
    "paramiko fixed",
    `import paramiko\ndef t(X: str):\n    c=paramiko.SSHClient()\n    c.connect(X)\n    c.exec_command("uptime")`,
  ],
  ["sh.git", `import sh\ndef t(X: str):\n    return sh.git("log",X)`],
  [
    "plumbum git",
    `from plumbum import local\ndef t(X: str):\n    git=local["git"]\n    return git["log",X]()`,
  ],
  [
    "plumbum grep pipe",
    `from plumbum.cmd import grep, wc\ndef t(X: str):\n    return (grep[X,"f.txt"] | wc["-l"])()`,
  ],
  [
    "fabric fixed",
    `from fabric import Connection\ndef t(X: str):\n    Connection(X).run("uptime")`,
  ],
  ["invoke fixed", `import invoke\ndef t(X: str):\n    invoke.run("git status")`],
  ["anyio list", `import anyio\ndef t(X: str):\n    anyio.run(anyio.run_process,["git","log",X])`],
  [
    "asyncio exec",
    `def t(X: str):\n    asyncio.run(asyncio.create_subprocess_exec("git","log",X))`,
  ],
  [
    "asyncio exec star",
    `def t(X: str):\n    args=["git","log",X]\n    asyncio.run(asyncio.create_subprocess_exec(*args))`,
  ],
  ["table", `TOOLS={'ls':['ls','-l'],'df':['df']}\ndef t(X: str):\n    subprocess.run(TOOLS[X])`],
  [
    "allowed",
    `def t(X: str):\n    if X not in ("ls","df"):\n        raise ValueError(X)\n    subprocess.run([X])`,
  ],
  ["env api key", `def t(X: str):\n    os.environ["OPENAI_API_KEY"]=X`],
  [
    "env proxy",
    `def t(X: str):\n    os.environ["HTTP_PROXY"]=X\n    subprocess.run(["git","fetch"])`,
  ],
  [
    "env config var",
    `def t(X: str):\n    subprocess.run(["tool"],env={**os.environ,"TOOL_TARGET":X})`,
  ],
  [
    "env update fixed",
    `def t(X: str):\n    env=dict(os.environ)\n    env.update({"NO_COLOR":"1","NAME":X})\n    subprocess.run(["tool"],env=env)`,
  ],
  [
    "git author",
    `def t(X: str):\n    env=os.environ.copy()\n    env["GIT_AUTHOR_NAME"]=X\n    subprocess.run(["git","commit","-m","x"],env=env)`,
  ],
  ["pip list", `def t(X: str):\n    subprocess.run([sys.executable,"-m","pip","show",X])`],
  [
    "pip -r",
    `def t(X: str):\n    subprocess.run([sys.executable,"-m","pip","install","-r","requirements.txt"])`,
  ],
  ["pip -e", `def t(X: str):\n    subprocess.run(["pip","install","-e","."])`],
  ["pip pinned", `def t(X: str):\n    subprocess.run(["pip","install","requests==2.32.0"])`],
  ["npm install", `def t(X: str):\n    subprocess.run(["npm","install"],cwd="web")`],
  [
    "npx pinned",
    `def t(X: str):\n    subprocess.run(["npx","-y","@mermaid-js/mermaid-cli@11.4.0","-i",X])`,
  ],
  ["npm run build", `def t(X: str):\n    subprocess.run(["npm","run","build"])`],
  [
    "ctypes lib",
    `import ctypes\ndef t(X: str):\n    l=ctypes.CDLL("./libfoo.so")\n    return l.foo(X.encode())`,
  ],
  [
    "ctypes util",
    `import ctypes, ctypes.util\ndef t(X: str):\n    l=ctypes.CDLL(ctypes.util.find_library("sqlite3"))`,
  ],
  [
    "a loader of one system",
    `import ctypes\ndef t(X: str):\n    dll = getattr(ctypes, "WinDLL")("shell32", use_last_error=True)\n    return dll.SHGetFolderPathW(None, 40, None, 0, None)`,
  ],
  [
    "windll msgbox",
    `import ctypes\ndef t(X: str):\n    ctypes.windll.user32.MessageBoxW(0,X,"t",0)`,
  ],
  ["webbrowser open", `import webbrowser\ndef t(X: str):\n    webbrowser.open(X)`],
  [
    "repo git",
    `import git\ndef t(X: str):\n    repo=git.Repo(X)\n    return repo.git.log("-n","5")`,
  ],
  ["clone", `import git\ndef t(X: str):\n    git.Repo.clone_from(X,"d")`],
  ["git clone sub", `def t(X: str):\n    subprocess.run(["git","clone",X,"d"])`],
  [
    "git clone then read",
    `def t(X: str):\n    subprocess.run(["git","clone",X,"d"])\n    return Path("d/README.md").read_text()`,
  ],
  [
    "sqlite execute",
    `import sqlite3\ndef t(X: str):\n    c=sqlite3.connect("x.db")\n    return c.execute("select * from t where a=?",(X,)).fetchall()`,
  ],
  ["file write tool", `def t(X: str):\n    Path("notes.txt").write_text(X)`],
  [
    "save and open other tool",
    `def t(X: str):\n    with open("out.html","w") as f: f.write(X)\n    subprocess.run(["wkhtmltopdf","out.html","o.pdf"])`,
  ],
  [
    "sort by name",
    `def t(X: str):\n    p=Path("report.md")\n    p.write_text(X)\n    subprocess.run(["git","add",str(p)])\n    subprocess.run(["git","commit","-m","x"])`,
  ],
  [
    "black",
    `def t(X: str):\n    with tempfile.NamedTemporaryFile("w",suffix=".py") as f:\n        f.write(X)\n        subprocess.run(["black",f.name])`,
  ],
  [
    "ruff m",
    `def t(X: str):\n    p=Path("a.py")\n    p.write_text(X)\n    subprocess.run([sys.executable,"-m","ruff","check",str(p)])`,
  ],
  [
    "mypy",
    `def t(X: str):\n    p=Path("a.py")\n    p.write_text(X)\n    subprocess.run(["mypy",str(p)])`,
  ],
  ["which arg", `def t(X: str):\n    p=shutil.which("ffmpeg")\n    subprocess.run([p,"-i",X])`],
  [
    "tool path from env",
    `def t(X: str):\n    tool=os.environ.get("FFMPEG","ffmpeg")\n    subprocess.run([tool,"-i",X])`,
  ],
  [
    "config cmd",
    `CMD=shlex.split(os.environ.get('CMD','git log'))\ndef t(X: str):\n    subprocess.run(CMD+[X])`,
  ],
  [
    "build_cmd",
    `def build(x):\n    return ['git','log',x]\ndef t(X: str):\n    cmd=build(X)\n    subprocess.run(cmd)`,
  ],
  [
    "class runner",
    `class Git:\n    def __init__(self): self.base=['git']\n    def run(self,*a): return subprocess.run(self.base+list(a))\ng=Git()\ndef t(X: str):\n    return g.run("log",X)`,
  ],
  [
    "loop",
    `def t(X: str):\n    for c in (["git","log",X],["git","status"]):\n        subprocess.run(c)`,
  ],
  ["ssh-keygen", `def t(X: str):\n    subprocess.run(["ssh-keygen","-f",X])`],
  ["adb", `def t(X: str):\n    subprocess.run(["adb","devices","-l"])`],
  ["apt fixed", `def t(X: str):\n    subprocess.run(["apt-get","install","-y","ffmpeg"])`],
  [
    "playwright install",
    `def t(X: str):\n    subprocess.run([sys.executable,"-m","playwright","install","chromium"])`,
  ],
  [
    "stdio client fixed",
    `from mcp import StdioServerParameters\ndef t(X: str):\n    StdioServerParameters(command="uv",args=["run","server.py"])`,
  ],
  [
    "stdio client arg",
    `from mcp import StdioServerParameters\ndef t(X: str):\n    StdioServerParameters(command="python",args=["server.py","--dir",X])`,
  ],
  ["open with default app", `def t(X: str):\n    subprocess.run(["open",X])`],
  ["xdg", `def t(X: str):\n    subprocess.Popen(["xdg-open",X])`],
  ["osascript fixed w args", `def t(X: str):\n    subprocess.run(["osascript","say.scpt",X])`],
  [
    "osascript -e fixed argv",
    `def t(X: str):\n    subprocess.run(["osascript","-e","on run argv\\nreturn item 1 of argv\\nend run",X])`,
  ],
  ["copy file", `def t(X: str):\n    shutil.copy(X,"b.txt")\n    subprocess.run(["sort","b.txt"])`],
  [
    "writes script fixed text",
    `def t(X: str):\n    Path("x.sh").write_text("echo hi")\n    subprocess.run(["sh","x.sh",X])`,
  ],
  [
    "templated int",
    `PORT=3000\ndef t(X: str):\n    Path("conf.ini").write_text(f"port={PORT}")\n    subprocess.run(["nginx","-c","conf.ini"])`,
  ],
  [
    "log file",
    `def t(X: str):\n    with open("log.txt","a") as f:\n        f.write(X)\n    subprocess.run([sys.executable,"worker.py"],stdout=open("log.txt"))`,
  ],
  [
    "popen stdout same file",
    `def t(X: str):\n    out=open("o.txt","w")\n    out.write(X)\n    subprocess.run(["bash","run.sh"],stdout=out)`,
  ],
  [
    "python file arg check",
    `def t(X: str):\n    subprocess.run([sys.executable,"-m","py_compile",X])`,
  ],
  ["terraform", `def t(X: str):\n    subprocess.run(["terraform","plan"],cwd=X)`],
  ["psql", `def t(X: str):\n    subprocess.run(["psql","-c",X])`],
  ["jupyter exec none", `def t(X: str):\n    return requests.get("https://x.example/"+X).text`],
  [
    "json dump config npm",
    `def t(X: str):\n    json.dump({"q":X},open("q.json","w"))\n    subprocess.run(["npm","run","x"])`,
  ],
  [
    "requests session then int",
    `def t(X: str):\n    s=requests.Session()\n    n=int(s.get("https://x").text)\n    subprocess.run(["sleep",str(n)])`,
  ],
  [
    "network to path program no",
    `def t(X: str):\n    u=requests.get("https://x").json()["u"]\n    subprocess.run(["open",u])`,
  ],
  [
    "ansible fixed",
    `import ansible_runner\ndef t(X: str):\n    ansible_runner.run(private_data_dir="d",playbook="site.yml",extravars={"a":X})`,
  ],
  [
    "k8s fixed",
    `from kubernetes import client\nfrom kubernetes.stream import stream\ndef t(X: str):\n    stream(client.CoreV1Api().connect_get_namespaced_pod_exec,X,"d",command=["ls","/"])`,
  ],
  [
    "session.get named s",
    `def t(X: str):\n    s=requests.Session()\n    return s.get("https://x.example",params={"q":X}).json()`,
  ],
  [
    "write_text then import own",
    `def t(X: str):\n    Path("cache.json").write_text(X)\n    import importlib\n    importlib.import_module("plugins.foo")`,
  ],
  ["cc", `def t(X: str):\n    subprocess.run(["gcc",X,"-o","a.out"])`],
  [
    "annot param",
    `import docker\ndef h(client: docker.DockerClient, n):\n    return client.containers.list(n)\ndef t(X: str): return h(docker.from_env(), X)`,
  ],
  [
    "subprocess wrapper exec",
    `import asyncio\nasync def run(*cmd):\n    p = await asyncio.create_subprocess_exec(*cmd)\n    return p\nasync def t(X: str):\n    return await run('git','log',X)`,
  ],
  [
    "subprocess wrapper list",
    `import asyncio\nasync def run(cmd: list[str]):\n    p = await asyncio.create_subprocess_exec(*cmd)\n    return p\nasync def t(X: str):\n    return await run(['git','log',X])`,
  ],
  [
    "subprocess wrapper kw",
    `import subprocess\ndef run(cmd, **kw):\n    return subprocess.run(cmd, **kw)\ndef t(X: str):\n    args=['git','log']\n    if X: args += ['--', X]\n    return run(args, cwd='.')`,
  ],
  [
    "helper with a fixed program",
    `def h(x): return ["git","log",x]
def t(X: str):
    cmd=h(X)
    subprocess.run(cmd)`,
  ],
  [
    "helper that gives a table entry",
    `T={"ls":["ls"]}
def h(x): return T[x]
def t(X: str):
    cmd=h(X)
    subprocess.run(cmd)`,
  ],
  [
    "docker fixed image",
    `import docker
def t(X: str):
    docker.from_env().containers.run("python:3.12-slim", environment={"Q": X})`,
  ],
  [
    "validator raising on a list",
    `ALLOWED={"ls","df"}
def validate(x):
    if x not in ALLOWED:
        raise ValueError(x)
def t(X: str):
    validate(X)
    subprocess.run(shlex.split(X))`,
  ],
  [
    "validator raising on a pattern",
    `import re
NAME=re.compile(r"^[a-z]+$")
def check_name(x):
    if not NAME.match(x):
        raise ValueError(x)
    return x
def t(X: str):
    check_name(X)
    subprocess.run(shlex.split(f"ls {X}"))`,
  ],
  [
    "validator answering a truth that is used",
    `import re
def is_valid(x):
    return re.fullmatch(r"[a-z]+", x) is not None
def t(X: str):
    if not is_valid(X):
        return "no"
    subprocess.run(shlex.split(f"ls {X}"))`,
  ],
  [
    "validator returning a cleaned value",
    `import re
def sanitize(x):
    return re.sub(r"[^a-z]", "", x)
def t(X: str):
    cmd=sanitize(X)
    subprocess.run(shlex.split(f"ls {cmd}"))`,
  ],
  [
    "validator of another module",
    `import validators
def t(X: str):
    if not validators.domain(X):
        return ""
    subprocess.run(shlex.split(f"ping -c1 {X}"))`,
  ],
  [
    "validator in a method",
    `import re
class S:
    def _validate(self, x):
        if not re.match(r"^[\\w.]+$", x):
            raise ValueError
    def go(self, x):
        self._validate(x)
        subprocess.run(shlex.split(f"ls {x}"))
s=S()
def t(X: str):
    s.go(X)`,
  ],
  [
    "validator with an error code",
    `BAD=[";","|","&"]
def validate_command(x):
    for b in BAD:
        if b in x:
            return False, "bad"
    return True, ""
def t(X: str):
    ok, why=validate_command(X)
    if not ok:
        return why
    subprocess.run(shlex.split(f"ls {X}"))`,
  ],
  [
    "validator by shlex and list",
    `ALLOWED=("ls","cat")
def is_allowed(x):
    parts=shlex.split(x)
    return bool(parts) and parts[0] in ALLOWED
def t(X: str):
    if not is_allowed(X):
        raise ValueError
    subprocess.run(shlex.split(X))`,
  ],
  [
    "validator that raises by path",
    `BASE=Path("data").resolve()
def safe_path(x):
    p=(BASE/x).resolve()
    if not p.is_relative_to(BASE):
        raise ValueError
    return p
def t(X: str):
    p=safe_path(X)
    subprocess.run([sys.executable,str(p)])`,
  ],
  [
    "validator by int",
    `def validate_port(x):
    n=int(x)
    if not 0 < n < 65536: raise ValueError
    return n
def t(X: str):
    n=validate_port(X)
    subprocess.run(shlex.split(f"lsof -i :{n}"))`,
  ],
  [
    "validator by enum",
    `from enum import Enum
class K(Enum):
    A="ls"
def validate(x):
    return K(x).value
def t(X: str):
    c=validate(X)
    subprocess.run(shlex.split(c))`,
  ],
  [
    "desktop file of data",
    `def t(X: str):
    Path("out.desktop").write_text(X)`,
  ],
  [
    "a note in home",
    `def t(X: str):
    (Path.home()/"notes"/"x.md").write_text(X)`,
  ],
  [
    "python DIR fixed",
    `def t(X: str):
    Path("app/data.txt").write_text(X)
    subprocess.run([sys.executable,"app"])`,
  ],
  [
    "cp of data",
    `def t(X: str):
    Path("a.txt").write_text(X)
    subprocess.run(["cp","a.txt","b.txt"])`,
  ],
  [
    "load_dotenv own",
    `from dotenv import load_dotenv
load_dotenv(Path(__file__).parent/".env")
def t(X: str):
    subprocess.run(["ls"])`,
  ],
  [
    "update own",
    `def t(X: str):
    os.environ.update([("TZ", X)])
    subprocess.run(["date"])`,
  ],
  [
    "xargs fixed",
    `def t(X: str):
    subprocess.run(["xargs","-0","wc","-l"],input=X,text=True)`,
  ],
  [
    "trust without",
    `from transformers import AutoModel
def t(X: str):
    AutoModel.from_pretrained(X)`,
  ],
  [
    "own config written",
    `def t(X: str):
    p=Path.home()/".myserver"/"config.json"
    p.parent.mkdir(exist_ok=True)
    p.write_text(json.dumps({"a": X}))`,
  ],
  [
    "rmtree of own cache",
    `def t(X: str):
    shutil.rmtree(os.path.expanduser("~/.cache/myserver"), ignore_errors=True)
    shutil.rmtree(tempfile.mkdtemp())`,
  ],
  [
    "elicit name",
    `from pydantic import BaseModel
from mcp.server.fastmcp import Context
class N(BaseModel):
    city: str
async def t(X: str, ctx: Context):
    r=await ctx.elicit("Which city?", schema=N)
    httpx.get("https://api.weather.example/q",params={"c": r.data.city})`,
  ],
  [
    "doctest own",
    `import doctest
def f():
    """
    >>> 1
    1
    """
def t(X: str):
    return str(doctest.testmod())`,
  ],
  [
    "make_dataclass fixed",
    `import dataclasses
C=dataclasses.make_dataclass("C", [("a", int)])
def t(X: str):
    return str(C(1))`,
  ],
  [
    "get_type_hints of own",
    `import typing
def f(a: int): pass
def t(X: str):
    return str(typing.get_type_hints(f))`,
  ],
  [
    "encrypt a named file",
    `from cryptography.fernet import Fernet
def t(X: str):
    f=Fernet(os.environ["KEY"])
    p=Path("secrets.bin")
    p.write_bytes(f.encrypt(X.encode()))`,
  ],
  [
    "cleaning old files",
    `def t(X: str):
    for p in Path("cache").rglob("*.tmp"):
        p.unlink()`,
  ],
  [
    "template own folder",
    `import jinja2
env=jinja2.Environment(loader=jinja2.FileSystemLoader(Path(__file__).parent/"templates"))
def t(X: str):
    Path("out/x.html").write_text(env.get_template("x.html").render(x=X))`,
  ],
  [
    "a text that is escaped for a database",
    `import sqlite3\ndef escape_text(x):\n    return "'" + x.replace("'", "''") + "'"\ndef t(X: str):\n    conn=sqlite3.connect("a.db")\n    sql=f"select a from b where c = {escape_text(X)}"\n    return str(conn.execute(sql).fetchall())`,
  ],
];

for (const [what, body] of HONEST) {
  Deno.test(`an honest server with ${what} fails no scan`, async () => {
    assertEquals((await scan({ "server.py": startingServer(body) })).grave, []);
  });
}
