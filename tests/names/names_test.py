#!/usr/bin/env python3
"""Names that act on what reads them, through every output of the program, each read again by a parser of its format.

Node names hold every control, bidirectional, zero-width and line-separating character, bytes that are not UTF-8, markup, quotes
and formulas. No output may hold such a character or byte as it is; JSON, CSV and XML must parse; what the program writes for
itself (topologies, tables, mappings) it must read again, with the same names; no cell of CSV may begin as a formula does.

  names_test.py --program build/default/tailback          exit 1 on faults, 77 where the build cannot read dot
"""
import argparse, csv, io, json, pathlib, subprocess, sys, tempfile, unicodedata, xml.dom.minidom

HIDDEN = [*range(0x20), *range(0x7F, 0xA0), 0xAD, 0x34F, 0x61C, 0x115F, 0x17B4, 0x180E, *range(0x200B, 0x2010),
          *range(0x2028, 0x202F), *range(0x2060, 0x2070), 0x3164, 0xFE0F, 0xFEFF, 0xFFA0, *range(0xFFF9, 0xFFFC),
          0xFFFE, 0xFFFF, 0x1FFFE, 0xE0001, 0xE0041, 0xE007F, 0x10FFFF]
LINE_ENDS = {0, 0x0A, 0x0D}  # no name of a line-based file holds these
NOT_UTF8 = [b"\x80", b"\xff", b"\xc3(", b"\xe2\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\xaf", b"Z\xfcrich"]
LOUD = ["=1+1", "=cmd|' /C calc'!A0", "+1", "-2+3", "-1", "@SUM(A1)", "\t=1", "a,b", 'a"b', "a\\", 'a\\"b', "a\\\\", "'", "a'b",
        "<b>&amp;</b>", "]]>", "-->", "\\N\\G", "\\x1b", "\\u{202e}", "%3", "%s%n", "{}", "#a", "a # b", "a;b", "S1", "1", "0x1",
        " a", "a ", "a  b", "Zürich €🚗", "שלום", "-", "--", "*", "H1,H2", "//", "/*", "x" * 300, "Hx\\", "Hx"]
NAMES = ([b"n" + chr(c).encode() + b"m" for c in HIDDEN if c not in LINE_ENDS] +
         [b"n" + b + b"m" for b in NOT_UTF8] + [t.encode() for t in LOUD])


def star(names):
    """Hosts of these names at switches of the same names, ten at each; the switches in a row. ibnetdiscover's form."""
    per, text = 10, [b"#\n"]
    switches = [names[i:i + per] for i in range(0, len(names), per)]
    last = len(switches) - 1
    lid = lambda s: len(names) + 1 + s
    for s, group in enumerate(switches):
        text.append(b"\nvendid=0x2c9\ndevid=0xbd36\nswitchguid=0x%x(%x)\nSwitch\t36 \"S-%016x\"\t\t# \"%b\" base port 0 lid %d lmc 0\n"
                    % (0xa000 + s, 0xa000 + s, 0xa000 + s, group[0], lid(s)))
        for i, name in enumerate(group):
            h = s * per + i
            text.append(b"[%d]\t\"H-%016x\"[1](%x) \t\t# \"%b\" lid %d 4xEDR\n" % (i + 1, 0xb000 + h, 0xc000 + h, name, h + 1))
        for port, peer, there in ((35, s - 1, 36), (36, s + 1, 35)):
            if 0 <= peer <= last:
                text.append(b"[%d]\t\"S-%016x\"[%d]\t\t# \"%b\" lid %d 4xEDR\n"
                            % (port, 0xa000 + peer, there, switches[peer][0], lid(peer)))
        for i, name in enumerate(group):
            h = s * per + i
            text.append(b"\nvendid=0x2c9\ndevid=0x673c\ncaguid=0x%x\nCa\t1 \"H-%016x\"\t\t# \"%b\"\n" % (0xb000 + h, 0xb000 + h, name))
            text.append(b"[1](%x) \t\"S-%016x\"[%d]\t\t# lid %d lmc 0 \"%b\" lid %d 4xEDR\n"
                        % (0xc000 + h, 0xa000 + s, i + 1, h + 1, group[0], lid(s)))
    return b"".join(text)


def escaped(name):
    """The documented escape of a name (docs/report.md), from its definition: UTF-8 as Python decodes it."""
    out, at = "", 0
    while at < len(name):
        for length in (1, 2, 3, 4):
            try:
                c = name[at:at + length].decode()
                break
            except UnicodeDecodeError:
                c = ""
        if c == "" or (length == 1 and ord(c) in HIDDEN):
            out += "\\x%02x" % name[at]
            length = 1
        else:
            out += "\\u{%04x}" % ord(c) if ord(c) in HIDDEN else c
        at += length
    return out


class Check:
    def __init__(self, program):
        self.program, self.faults, self.outputs = program, [], 0

    def run(self, *words, codes=(0,), where=None):
        done = subprocess.run([self.program, *words], capture_output=True, timeout=120, cwd=where, stdin=subprocess.DEVNULL)
        if done.returncode not in codes:
            self.faults.append(f"{words}: exit {done.returncode}: {done.stderr[:300]!r}")
            if 0 in codes:
                tell(self)
        self.harmless(f"{words}: standard error", done.stderr)
        return done.stdout

    def harmless(self, what, data):
        """Valid UTF-8 in which nothing is hidden but the ends of lines (and tabs between columns)."""
        self.outputs += 1
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            self.faults.append(f"{what}: {error}")
            return ""
        bad = {hex(ord(c)) for c in text if c not in "\n\t" and (ord(c) in HIDDEN or unicodedata.category(c) in ("Cc", "Zl", "Zp"))}
        if bad:
            self.faults.append(f"{what}: holds {sorted(bad)}")
        return text

    def csv(self, what, data):
        rows = list(csv.reader(io.StringIO(self.harmless(what, data)), strict=True))
        for row in rows:
            if len(row) != len(rows[0]):
                self.faults.append(f"{what}: {len(row)} cells, {len(rows[0])} columns: {row}")
            for cell in row:
                if cell[:1] in tuple("=+-@\t\r") and not is_number(cell):
                    self.faults.append(f"{what}: the cell {cell!r} is a formula")
        return rows

    def same(self, what, ours, wanted):
        if ours != wanted:
            different = [(a, b) for a, b in zip(ours, wanted) if a != b] if isinstance(ours, list) else ""
            self.faults.append(f"{what}: differs {str(different)[:400]}")


def is_number(cell):
    try:
        return float(cell) is not None and cell[0] != "+"
    except ValueError:
        return False


def check_reports(check, net, folder):
    """Reports as text, JSON, CSV, SVG and dot."""
    study = ["evaluate", *net, "--pattern", "bisect", "--mappings", "3", "--metric", "all"]
    for form in ("text", "json", "csv"):
        out = check.run(*study, "--format", form, "--picture", f"{folder}/p.svg", "--per-mapping", f"{folder}/p.csv",
                        "--run-info", f"{folder}/p.json")
        {"text": check.harmless, "json": lambda w, d: json.loads(check.harmless(w, d)), "csv": check.csv}[form](f"evaluate {form}", out)
        xml.dom.minidom.parseString(check.harmless("evaluate svg", (folder / "p.svg").read_bytes()))
        json.loads(check.harmless("run info", (folder / "p.json").read_bytes()))
    asked = ["--criticality", "--without-cable", "0x000000000000a001:1"]
    for form, more in (("text", [*asked, "--top", "1000"]), ("json", asked), ("csv", asked), ("dot", [])):
        out = check.run("audit", *net, *more, "--format", form, "--picture", f"{folder}/a.svg", codes=(0, 1))
        xml.dom.minidom.parseString(check.harmless("audit svg", (folder / "a.svg").read_bytes()))
        text = check.harmless(f"audit {form}", out)
        if form == "json":
            links = json.loads(text)["links"]
            names = {escaped(name) for name in NAMES}
            check.same("names in an audit's JSON", {link["from"] for link in links} | {link["to"] for link in links}, names)
        if form == "csv":
            check.csv("audit csv", out)
        if form == "dot":  # the reader of ORCS's files takes any dot: it misses only the routes
            (folder / "audit.dot").write_bytes(out)
            said = subprocess.run([check.program, "convert", "--network", folder / "audit.dot", "--to", "graphml"],
                                  capture_output=True).stderr
            check.same("audit dot", b"a dot file without routes" in said, True)


def check_written(check, net, folder, as_read):
    """Files for programs: each is read again, and comes out the same."""
    kinds = {"ibnetdiscover": "net.ibn", "lft-dump": "net.lft", "orcs-dot": "net.dot", "graphml": "net.xml"}
    for kind, name in kinds.items():
        out = check.run("convert", *net, "--to", kind)
        check.harmless(f"convert --to {kind}", out)
        (folder / name).write_bytes(out)
    again = ["--network", f"{folder}/net.ibn", "--tables", f"{folder}/net.lft"]
    for kind in ("ibnetdiscover", "lft-dump", "graphml"):
        check.same(f"{kind} read again", check.run("convert", *again, "--to", kind).split(b"\n"),
                   (folder / kinds[kind]).read_bytes().split(b"\n"))
    graph = xml.dom.minidom.parse(f"{folder}/net.xml")
    names = [data.firstChild.data for data in graph.getElementsByTagName("data") if data.getAttribute("key") == "name"]
    check.same("names in GraphML", sorted(set(names)), sorted({escaped(name) for name in as_read}))
    dot = check.run("convert", "--network", f"{folder}/net.dot", "--to", "orcs-dot")
    check.same("nodes and edges of dot", dot.count(b"\n"), (folder / "net.dot").read_bytes().count(b"\n"))
    check.run("orcs", "-i", f"{folder}/net.dot", "-p", "bisect", "-n", "3", "-m", "sum_max_cong")
    check.harmless("generate", check.run("generate", *net[1:], "--output", f"{folder}/made", codes=(0, 2)))


def check_mappings(check, net, folder):
    """Hosts named in a mapping file are found again."""
    study = ["evaluate", *net, "--pattern", "bisect", "--mappings", "3", "--metric", "sum_max_cong", "--format", "csv"]
    first = check.csv("mapped", check.run(*study, "--dump-mappings", f"{folder}/m"))
    check.harmless("mappings", (folder / "m").read_bytes())
    again = check.csv("mapped again", check.run(*study, "--mapping", f"file:{folder}/m"))
    numbers = lambda rows: [row for row in rows if row[0] in ("sum_max_cong", "pairs")]
    check.same("mappings read again", numbers(again), numbers(first))


def check_words(check, net, folder):
    """A name is found as the file holds it and as reports print it; messages about it are harmless."""
    for h, name in enumerate(NAMES):
        for word in {name, escaped(name).encode()}:
            if word[:1] == b"-" or name in (b"1", b"0x1", b"a", b" a", b"a ") or NAMES.count(name) > 1:
                continue  # an option, an LID, two meanings
            out = check.run("trace", *net, word, "0x%016x" % (0xb001 if h == 0 else 0xb000), codes=(0, 2))
            check.harmless("trace", out)
    for word in [b"\x1b[31m", b"\xff", "\u202e".encode(), "\u2028".encode(), b"\xc2\x9b31m"]:
        for words in ([b"trace", b"--network", word, b"1", b"2"], [word], [b"evaluate", b"--" + word],
                      [b"evaluate", *net[:1], net[1], b"--pattern", word], [b"evaluate", b"--network", b"torus:" + word],
                      [b"audit", *net, b"--hosts", word], [b"audit", *net, b"--without-switch", word],
                      [b"list", word], [b"diff", word, word], [b"sweep", word], [b"convert", *net, b"--to", word]):
            check.run(*words, codes=(2,))


def tell(check):
    for fault in check.faults[:40]:
        print(fault, file=sys.stderr)
    print(f"{len(NAMES)} names, {check.outputs} outputs, {len(check.faults)} faults")
    sys.exit(1 if check.faults else 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    check = Check(str(pathlib.Path(parser.parse_args().program).resolve()))
    if b"cgraph yes" not in check.run("--version"):
        sys.exit(77)  # skipped: dot cannot be read
    with tempfile.TemporaryDirectory(prefix="tailback-names-") as name:
        folder = pathlib.Path(name)
        (folder / "net").write_bytes(star(NAMES))
        net = ["--network", f"{folder}/net", "--routing", "minhop"]
        check_reports(check, net, folder)
        check_written(check, net, folder, NAMES)
        check_mappings(check, net, folder)
        check_words(check, net, folder)
        hosts = [name.replace(b" ", b"_").replace(b",", b"_").replace(b"\t", b"_").replace(b"\\", b"/").replace(b'"', b'\\"')
                 for name in NAMES if b"\t" not in name]
        dot = b"digraph g {\n" + b"".join(b'"H%b" -> "s" [comment="*"];\n"s" -> "H%b" [comment="H%b"];\n' % (n, n, n)
                                          for n in dict.fromkeys(hosts)) + b"}\n"
        (folder / "in.dot").write_bytes(dot)
        named = ["--network", f"{folder}/in.dot"]
        check_mappings(check, named, folder)
        for kind in ("orcs-dot", "ibnetdiscover", "lft-dump", "graphml"):
            check.harmless(kind, check.run("convert", *named, "--to", kind))
    tell(check)


if __name__ == "__main__":
    main()
