"""Programs with a limit each, several at once, in process groups of their own; none outlives its starter."""
import os, selectors, shutil, signal, subprocess, time

OUTPUT_MOST = 200_000  # bytes that are kept of a process, half of them from its end


class Stopped(Exception):
    """This program was asked to end."""


class Guard:
    """A process that kills what was started, and removes a folder, once this program is gone, however it went."""

    def __init__(self):
        reading, self.writing = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                self._watch(reading)
            finally:
                os._exit(0)
        os.close(reading)

    def _watch(self, reading):
        os.setsid()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        nothing = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):  # who reads this program's output must not wait for this process
            os.dup2(nothing, descriptor)
        os.close(self.writing)
        groups, folder = set(), None
        with os.fdopen(reading) as told:
            for line in told:
                word, what = line[0], line[1:].rstrip("\n")
                if word == "+":
                    groups.add(int(what))
                elif word == "-":
                    groups.discard(int(what))
                else:
                    folder = what
        for group in groups:
            kill_group(group, signal.SIGKILL)
        if folder:
            shutil.rmtree(folder, ignore_errors=True)

    def tell(self, line):
        os.write(self.writing, f"{line}\n".encode())

    def end(self):
        os.close(self.writing)
        os.waitpid(self.pid, 0)


def kill_group(group, number):
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        pass


class Process:
    """A program to start. When it has ended: `code`, `output`, `seconds`, and `why` it was stopped, if it was: `limit`
    (its own), `silent`, `time` (of the step), `asked` (this program ends)."""

    def __init__(self, name, words, limit, *, environment=None, on_line=None, on_output=None, silent=None, lane="",
                 urgent=False, stdout=None, about=None):
        self.name, self.words, self.limit, self.silent = name, words, limit, silent
        self.lane, self.urgent = lane, urgent
        self.environment = {**os.environ, **(environment or {})}
        self.on_line, self.on_output, self.stdout = on_line, on_output, stdout
        self.about = about or {}
        self.code = self.why = self.popen = self.asked_at = self.killed_at = self.exited_at = None
        self.head, self.tail, self.dropped, self.line, self.seconds = bytearray(), bytearray(), 0, b"", 0.0
        self.note = ""

    @property
    def output(self):
        middle = f"\n[{self.dropped} bytes are left out here]\n" if self.dropped else ""
        return (self.head.decode(errors="replace") + middle + self.tail.decode(errors="replace"))

    def start(self, guard, selector):
        self.begun = self.heard = time.monotonic()
        own_stdout = self.stdout is not None

        def told():  # in the child: the guard knows it before it is anything
            os.write(guard.writing, f"+{os.getpid()}\n".encode())
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_DFL)

        try:
            self.popen = subprocess.Popen(
                self.words, stdin=subprocess.DEVNULL, stdout=self.stdout if own_stdout else subprocess.PIPE,
                stderr=subprocess.PIPE if self.on_line or own_stdout else subprocess.STDOUT, env=self.environment,
                start_new_session=True, preexec_fn=told)
        except OSError as error:
            self.code, self.streams = 127, []
            self._keep(str(error).encode())
            return
        self.streams = [stream for stream in (self.popen.stdout, self.popen.stderr) if stream]
        for stream in self.streams:
            os.set_blocking(stream.fileno(), False)
            selector.register(stream, selectors.EVENT_READ, self)

    def _keep(self, data):
        if self.on_output:
            self.on_output(data)
        room = OUTPUT_MOST // 2 - len(self.head)
        self.head += data[:max(0, room)]
        self.tail += data[max(0, room):]
        if len(self.tail) > OUTPUT_MOST // 2:
            self.dropped += len(self.tail) - OUTPUT_MOST // 2
            del self.tail[:len(self.tail) - OUTPUT_MOST // 2]

    def read(self, stream, selector):
        try:
            data = os.read(stream.fileno(), 65536)
        except BlockingIOError:
            return
        if not data:
            self._close(stream, selector)
            return
        self._keep(data)
        if self.on_line and stream is self.popen.stdout:
            *lines, self.line = (self.line + data).split(b"\n")
            for line in lines:
                self.heard = time.monotonic()
                self.on_line(line.decode(errors="replace"))

    def _close(self, stream, selector):
        selector.unregister(stream)
        stream.close()
        self.streams.remove(stream)

    def stop(self, why, now):
        if self.asked_at is None and self.exited_at is None:
            self.why, self.asked_at = why, now
            kill_group(self.popen.pid, signal.SIGTERM)

    def ended(self, now, until, grace, selector):
        """Stops it where it is time; true once nothing of it is left."""
        if self.popen is None:
            return True
        if self.exited_at is None:
            self.code = self.popen.poll()
            if self.code is not None:
                self.exited_at = now
                self.seconds = now - self.begun
                if self.asked_at is None and self.streams:  # children may hold on to its output
                    kill_group(self.popen.pid, signal.SIGTERM)
        if self.exited_at is None:
            if now - self.begun >= self.limit:
                self.stop("limit", now)
            elif self.silent and now - self.heard >= self.silent:
                self.stop("silent", now)
            elif now >= until:
                self.stop("time", now)
        asked = self.asked_at if self.asked_at is not None else self.exited_at
        if self.exited_at is not None and not self.streams:
            return self._done(selector)
        if asked is not None and now - asked >= grace and self.killed_at is None:
            self.killed_at = now
            kill_group(self.popen.pid, signal.SIGKILL)
        if self.killed_at is not None and now - self.killed_at >= max(1.0, grace):
            if self.exited_at is None:
                self.note, self.seconds = "it does not die", now - self.begun
            return self._done(selector)
        return False

    def _done(self, selector):
        for stream in list(self.streams):
            self._close(stream, selector)
        kill_group(self.popen.pid, signal.SIGKILL)
        return True


class Starter:
    """Runs processes until a time; knows whether this program was asked to end."""

    def __init__(self, scale):
        self.scale, self.asked = scale, 0
        self.guard = Guard()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._ask)

    def _ask(self, number, _):
        self.asked = self.asked or number

    def check(self):
        if self.asked:
            raise Stopped

    def run(self, processes, until, ended, at_once=1):
        """`ended(process)` is called for each that ended, and may name others to be run next. While one is urgent, no
        other starts; it may start after `until`. `at_once` counts in each lane. Returns those that did not start."""
        waiting, running = list(processes), []
        grace = max(0.1, 3 * self.scale)
        with selectors.DefaultSelector() as selector:
            try:
                while waiting or running:
                    self.check()
                    self._start(waiting, running, until, at_once, selector)
                    if not running:
                        break
                    dying = any(p.exited_at is not None or not p.streams for p in running if p.popen)
                    for key, _ in selector.select(0.005 if dying else 0.05):
                        if not key.fileobj.closed:
                            key.data.read(key.fileobj, selector)
                    self._look(waiting, running, until, ended, grace, selector)
            except BaseException:
                self._stop(running, ended, grace, selector)
                raise
        return waiting

    def _start(self, waiting, running, until, at_once, selector):
        urgent = any(p.urgent for p in running + waiting)
        for process in list(waiting):
            if urgent and not process.urgent or not process.urgent and time.monotonic() >= until:
                continue
            if process.urgent or sum(p.lane == process.lane for p in running) < at_once:
                waiting.remove(process)
                running.append(process)
                process.start(self.guard, selector)

    def _look(self, waiting, running, until, ended, grace, selector):
        now = time.monotonic()
        for process in list(running):
            limit = float("inf") if process.urgent else until
            if process.ended(now, limit, grace, selector):
                running.remove(process)
                self._forget(process)
                waiting[:0] = ended(process) or []

    def _forget(self, process):
        if process.popen and not process.note:
            self.guard.tell(f"-{process.popen.pid}")

    def _stop(self, running, ended, grace, selector):
        for process in running:
            if process.popen:
                process.stop("asked", time.monotonic())
        while running:
            for process in list(running):
                if process.ended(time.monotonic(), float("inf"), grace, selector):
                    running.remove(process)
                    self._forget(process)
                    ended(process)
            for key, _ in selector.select(0.01) if selector.get_map() else ():
                if not key.fileobj.closed:
                    key.data.read(key.fileobj, selector)
            if running and not selector.get_map():
                time.sleep(0.01)
