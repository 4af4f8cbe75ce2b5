"""Reads touchgridd's options from its --help. The other programs use a library that dumps their
options as JSON; touchgridd does not."""

import re

# Value names in the help text that mean files. The shells complete file names for them.
FILES = {"file", "path", "recording"}


def command(text):
    """Returns the command in the format of --experimental-dump-help, which the other programs
    have."""
    sections = dict(re.findall(r"^(OVERVIEW|USAGE|OPTIONS): *(.*?)(?=\n\n(?:USAGE|OPTIONS):|\Z)", text, re.S | re.M))
    abstract, _, discussion = sections["OVERVIEW"].partition("\n\n")
    return {
        "commandName": sections["USAGE"].split()[0], "abstract": abstract,
        "discussion": "\n\n".join(
            " ".join(paragraph.split()) for paragraph in discussion.split("\n\n")),
        "arguments": [option(words) for words in entries(sections["OPTIONS"])],
    }


def entries(text):
    """Returns each option with its help as one line. In the help text, an option is indented by two
    columns, and the continuation of its help by more."""
    found = []
    for line in text.strip("\n").split("\n"):
        if line.startswith("   ") and found:
            found[-1] += "  " + line.strip() if len(found[-1].split("  ", 1)) == 1 else " " + line.strip()
        else:
            found.append(re.sub(r"  +", "  ", line.strip()))
    return found


def option(words):
    head, _, text = words.partition("  ")
    names = [{"kind": "long" if name.startswith("--") else "short", "name": name.lstrip("-")}
             for name in re.findall(r"-[\w-]+", head.split(" <")[0])]
    value = re.search(r"<(\w+)>", head)
    default = re.search(r" \(default: (\w+)\)$", text)
    return {
        "kind": "option" if value else "flag", "names": names, "preferredName": names[-1],
        "valueName": value and value[1], "abstract": text[: default.start()] if default else text,
        "defaultValue": default and default[1], "isOptional": True, "isRepeating": head.endswith("..."),
        "shouldDisplay": True,
    }


def completions(command):
    """Returns the completion scripts for bash, zsh and fish."""
    name = command["commandName"]
    words, cases, zsh, fish = [], [], [], []
    files = "mapfile -t COMPREPLY < <(compgen -f -- \"$word\")"
    for each in command["arguments"]:
        spelled = ["--" * (part["kind"] == "long") + "-" * (part["kind"] == "short") + part["name"]
                   for part in each["names"]]
        words += spelled
        value, text = each["valueName"], each["abstract"].rstrip(".")
        values = [] if value in FILES else re.findall(r"\w+", text.rpartition(":")[2]) if value else []
        if value:
            answer = files if value in FILES else f"COMPREPLY=($(compgen -W '{' '.join(values)}' -- \"$word\"))"
            cases.append(f"  {'|'.join(spelled)}) {answer}; return ;;")
        quoted = text.replace("'", "").replace("[", "(").replace("]", ")").replace(":", " -")
        action = f":{value}:" + ("_files" if value in FILES else f"({' '.join(values)})") if value else ""
        zsh += [f"  '{'*' * each['isRepeating']}{word}[{quoted}]{action}'" for word in spelled]
        fish.append(" ".join(
            [f"complete -c {name}"]
            + [f"-{'l' if part['kind'] == 'long' else 's'} {part['name']}" for part in each["names"]]
            + (["-r -F"] if value in FILES else [f"-x -a '{' '.join(values)}'"] if value else [])
            + [f"-d '{quoted}'"]))
    bash = [
        f"_{name}() {{", "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}",
        "  case $before in", *cases, "  esac",
        "  case $word in", f"  -*) COMPREPLY=($(compgen -W '{' '.join(words)}' -- \"$word\")) ;;",
        # A word that is not an option is a file: another recording.
        f"  *) {files} ;;", "  esac", "}",
        f"complete -o filenames -F _{name} {name}"]
    return {
        "bash": "\n".join(bash) + "\n",
        "zsh": f"#compdef {name}\n_arguments -s \\\n" + " \\\n".join(zsh) + "\n",
        "fish": f"complete -c {name} -f\n" + "\n".join(fish) + "\n",
    }
