#!/usr/bin/env python3
"""The content policy of every page names the SHA-256 of its scripts and of its style, and allows nothing else.
Exit 77 where the program was built without pages.  usage: policy_test.py PROGRAM FIXTURES"""
import base64, hashlib, html.parser, os, pathlib, re, subprocess, sys, tempfile


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=False)
        self.policies, self.inside, self.handlers = [], None, []
        self.scripts, self.styles = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "meta" and given.get("http-equiv") == "Content-Security-Policy":
            self.policies.append(given["content"])
        self.handlers += [name for name in given if name.startswith("on") or name in ("style", "src", "nonce")]
        self.inside = {"style": self.styles, "script": self.scripts}.get(tag)
        if given.get("type") == "application/json":
            self.inside = None  # data, which nobody runs
        if self.inside is not None:
            self.inside.append("")

    def handle_data(self, text):
        if self.inside is not None:
            self.inside[-1] += text

    def handle_endtag(self, tag):
        self.inside = None


def source(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def main(program, fixtures):
    if "pages yes" not in subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout:
        print("skipped: this program was built without pages")
        sys.exit(77)
    tree = pathlib.Path(fixtures) / "opensm/ft2-16"
    sides = [f"{tree}/minhop/ibnetdiscover.out.xz,{tree}/{run}/opensm-lfts.dump.xz" for run in ("minhop", "file-broken")]
    network = ["--network", "xgft:m=4x4,w=1x4"]
    jobs = [word for name in "ab" for word in ("--job", f"{name}:pattern=all-to-all,ranks=8")]
    commands = [["audit", *network], ["evaluate", *network, "--mappings", "10"],
                ["jobs", *network, "--mappings", "10", *jobs],
                ["bracket", *network, "--routing", "ar:minimal", "--mappings", "10"],
                ["diff", *sides]]
    with tempfile.TemporaryDirectory() as folder:
        for command in commands:
            file = os.path.join(folder, "page.html")
            done = subprocess.run([program, *command, "--format", "html", "--output", file], capture_output=True,
                                  text=True)
            assert done.returncode in (0, 1), done.stderr
            page = Page(pathlib.Path(file).read_text())
            assert len(page.policies) == 1 and len(page.styles) == 1 and page.scripts, command
            rules = dict(rule.split(None, 1) for rule in re.split(r";\s*", page.policies[0]))
            want = {"default-src": ["'none'"], "base-uri": ["'none'"], "form-action": ["'none'"],
                    "script-src": [source(script) for script in page.scripts],
                    "style-src": [source(style) for style in page.styles]}
            assert {name: words.split() for name, words in rules.items()} == want, (command, rules, want)
            assert not page.handlers, (command, page.handlers)
    print(f"{len(commands)} pages allow their own scripts and their own style, and nothing else")


if __name__ == "__main__":
    main(*sys.argv[1:])
