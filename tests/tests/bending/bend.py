"""Bends proofs of dice in every place, and counts what a verifier accepts: python3 bend.py VERIFIER < proofs, one a line."""
import copy, io, json, sys

program = compile(open(sys.argv[1]).read(), sys.argv[1], "exec")


def accepts(proof):
    stdin, stdout = sys.stdin, sys.stdout
    sys.stdin, sys.stdout = io.StringIO(json.dumps(proof)), io.StringIO()
    try:
        exec(program, {"__name__": "__main__"})
        return True
    except (SystemExit, ValueError):
        return False
    finally:
        sys.stdin, sys.stdout = stdin, stdout


def flips(text):
    """The text with each of its bits flipped; it is hexadecimal."""
    for place, digit in enumerate(text):
        for bit in (1, 2, 4, 8):
            yield text[:place] + format(int(digit, 16) ^ bit, "x") + text[place + 1:]


def bent(proof):
    for key in ("match_id", "anchor"):
        for text in flips(proof[key]):
            yield {**proof, key: text}
    for key in ("commits", "opened"):
        for place, whole in enumerate(proof[key]):
            for text in flips(whole):
                yield {**proof, key: proof[key][:place] + [text] + proof[key][place + 1:]}
            if key == "opened" and whole:
                yield {**proof, key: proof[key][:place] + [""] + proof[key][place + 1:]}
    rolls = proof["rolls"]
    for place, roll in enumerate(rolls):
        others = [{**roll, "s": text} for text in flips(roll["s"])]
        for die in (0, 1):
            for face in set(range(1, 7)) - {roll["dice"][die]}:
                dice = list(roll["dice"])
                dice[die] = face
                others.append({**roll, "dice": dice})
        for other in others:
            yield {**proof, "rolls": rolls[:place] + [other] + rolls[place + 1:]}
        yield {**proof, "rolls": rolls[:place] + [roll] + rolls[place:]}
        if place + 1 < len(rolls):
            yield {**proof, "rolls": rolls[:place] + rolls[place + 1:]}
            yield {**proof, "rolls": rolls[:place] + [rolls[place + 1], roll] + rolls[place + 2:]}


whole = changes = taken = 0
for line in sys.stdin.readlines():
    proof = json.loads(line)
    whole += accepts(copy.deepcopy(proof))
    for other in bent(proof):
        changes += 1
        taken += accepts(other)
print(json.dumps({"whole": whole, "changes": changes, "taken": taken}))
