"""The table of figures: a line a case, a line a step, and what failed."""


def short(value):
    """Three significant digits: 85.3M, 407k, 1.25k, 107."""
    if not isinstance(value, (int, float)):
        return "-"
    size = abs(value)
    for factor, suffix in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1, "")):
        if size >= factor * 0.9995 or factor == 1:
            scaled = value / factor
            digits = 2 if abs(scaled) < 9.995 else 1 if abs(scaled) < 99.95 else 0
            return f"{scaled:.{digits}f}{suffix}"


def times(rate, other):
    if not isinstance(rate, (int, float)) or not isinstance(other, (int, float)) or other <= 0:
        return "-"
    return f"{rate / other:.3g}" if rate < 1000 * other else f"{rate / other:.0f}"


def judged(line, expectations):
    """What was expected of a case, and whether it came so; empty where nothing was, or the case has no rate."""
    wanted = expectations.get("cases", {}).get(line.get("case"))
    rate = rate_of(line)
    if not wanted or rate is None:
        return {}
    place = "below" if rate < wanted["least"] else "above" if rate > wanted["most"] else "within"
    return {"expected": {**wanted, "device": expectations.get("device")}, "judged": place}


def rate_of(line):
    rate = line.get("rate")
    rate = rate.get("median") if isinstance(rate, dict) else rate
    return rate if isinstance(rate, (int, float)) else None


HEAD = ("case", "kind", "rate", "spread", "alone", "x core", "x cores", "expected", "judged", "verified")


def row(line):
    """The cells of a case; a case without a rate has its reason after its name."""
    for word in ("error", "skipped"):
        if word in line:
            return (line["case"], f"{'failed' if word == 'error' else 'no figure'}: {line[word]}"[:90])
    rate, all_of = rate_of(line), line.get("rate") if isinstance(line.get("rate"), dict) else {}
    spread = "-"
    if rate and isinstance(all_of.get("least"), (int, float)) and isinstance(all_of.get("most"), (int, float)):
        spread = f"{(all_of['most'] - all_of['least']) / rate * 100:.1f}%"
    expected = line.get("expected")
    verified = {True: "yes", False: "NO", None: "-"}.get(line.get("verified"), "-")
    unit = line.get("unit", "mappings/s")
    shown = short(rate) + ("" if unit == "mappings/s" else f" {unit}")
    return (line["case"], str(line.get("kind", "-")), shown, spread,
            short(line.get("alone")), times(rate, line.get("one_core")), times(rate, line.get("all_cores")),
            f"{short(expected['least'])}-{short(expected['most'])}" if expected else "-", line.get("judged", "-"),
            "wrong" if line.get("wrong") else verified)


def table(cases, steps, last, most=None):
    """Lines of the table; `most` lines at most, cases that do not fit are then counted."""
    rows = [HEAD, *map(row, cases)] if cases else []
    room = None if most is None else most - len(steps) - 2  # a line for what is left out, a line for the end
    left_out = 0
    if room is not None and len(rows) > room:
        left_out = len(rows) - max(0, room)
        rows = rows[:max(0, room)]
    width = [max((len(cells[i]) for cells in rows if len(cells) > 2), default=0) for i in range(len(HEAD))]
    width[0] = max((len(cells[0]) for cells in rows), default=0)
    lines = ["  ".join(cell.ljust(width[i]) if i < 2 else cell.rjust(width[i]) for i, cell in enumerate(cells)).rstrip()
             for cells in rows]
    if left_out:
        lines.append(f"({left_out} more cases: table.txt)")
    return lines + [line_of_step(step) for step in steps] + [last]


def line_of_step(step):
    counts = ", ".join(f"{count} {word}" for word, count in step["counts"].items() if count) or "nothing to do"
    note = f"; {step['note']}" if step.get("note") else ""
    return f"{step['name']:<10} {step['seconds']:6.1f} s  {counts}{note}"[:160]
