"""One skill: its main file, a list of its files, and the files themselves."""

import hashlib
import json
import mimetypes
import pathlib
import re

from ...resources.resource import Resource, ResourceTemplate
from .resources_provider import ResourcesProvider

_END = re.compile(r"\n---\s*\n")
_DESCRIPTION_MAX = 200
_MANIFEST = "_manifest"


def kind_of(path):
    """Return the media type of a file by its name, or None."""
    return "text/markdown" if path.endswith(".md") else mimetypes.guess_type(path)[0]


def front_matter(text):
    """Return what stands before a skill's instructions, as texts and lists, and these."""
    end = _END.search(text, 3) if text.startswith("---") else None
    if end is None:
        return {}, text
    found = {}
    for line in text[3 : end.start()].strip().split("\n"):
        key, colon, value = line.partition(":")
        if colon:
            found[key.strip()] = _value(value.strip())
    return found, text[end.end() :]


def _value(text):
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    if text.startswith("[") and text.endswith("]"):
        items = (item.strip().strip("\"'") for item in text[1:-1].split(","))
        return [item for item in items if item]
    return text


def _first_line(body):
    """Return the first line that says something."""
    for line in body.strip().split("\n"):
        if said := line.strip().lstrip("#").strip():
            return said[:_DESCRIPTION_MAX]
    return ""


class SkillFile(Resource):
    """A file of a skill, read when it is asked for."""

    def __init__(self, uri, name, path, told, **details):
        super().__init__(uri, None, name, **details)
        self.path = path
        self.told = told

    async def read(self):
        """Return its text, or its bytes where it is no text."""
        return read_file(self.path)


class SkillManifest(Resource):
    """The list of a skill's files, with sizes and digests."""

    def __init__(self, skill, uri):
        about = f"File listing for {skill.name}"
        name = f"{skill.name}/{_MANIFEST}"
        super().__init__(uri, None, name, description=about, mime_type="application/json")
        self.skill = skill
        self.told = {"skill": {"name": skill.name, "is_manifest": True}}

    async def read(self):
        """Return the list as JSON."""
        shape = {"skill": self.skill.name, "files": self.skill.files}
        return json.dumps(shape, indent=2)


class SkillFiles(ResourceTemplate):
    """All files of a skill."""

    def __init__(self, skill):
        async def read(path: str):
            return read_file(inside(skill.path, path))

        super().__init__(
            f"skill://{skill.name}/{{path*}}",
            read,
            f"{skill.name}_files",
            description=f"Access files within {skill.name}",
            mime_type="application/octet-stream",
        )


def inside(folder, path):
    """Return a path below a folder; raises ValueError or FileNotFoundError."""
    full = (folder / path).resolve()
    if not full.is_relative_to(folder):
        raise ValueError(f"Invalid path: Path {path} escapes skill directory")
    if not full.exists():
        raise FileNotFoundError(f"File not found: {path}")
    if not full.is_file():
        raise ValueError(f"Not a file: {path}")
    return full


def read_file(path):
    """Return the text of a file, or its bytes where its name says that it is no text."""
    kind = kind_of(path.name) or ""
    return path.read_text() if kind.startswith("text/") else path.read_bytes()


class SkillProvider(ResourcesProvider):
    """Offers the skill in a folder; raises FileNotFoundError where there is none."""

    def __init__(self, skill_path, main_file_name="SKILL.md", supporting_files="template"):
        super().__init__()
        self.path = pathlib.Path(skill_path).resolve()
        self.name = self.path.name
        self.main_file = main_file_name
        self._lists_all = supporting_files == "resources"
        if not self.path.exists():
            raise FileNotFoundError(f"Skill directory not found: {self.path}")
        main = self.path / main_file_name
        if not main.exists():
            raise FileNotFoundError(
                f"Main skill file not found: {main}. Expected {main_file_name} in {self.path}"
            )
        self.frontmatter, body = front_matter(main.read_text())
        described = self.frontmatter.get("description") or _first_line(body)
        self.description = described or f"Skill: {self.name}"
        found = (path for path in sorted(self.path.rglob("*")) if path.is_file())
        self.files = [self._told_of(path) for path in found]

    @property
    def skill_info(self):
        """What is known of the skill: the provider itself."""
        return self

    def _told_of(self, path):
        content = path.read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        name = path.relative_to(self.path).as_posix()
        return {"path": name, "size": len(content), "hash": f"sha256:{digest}"}

    async def get_resources(self):
        """Return the main file and the list of files; all files where they are to be listed."""
        manifest = SkillManifest(self, f"skill://{self.name}/{_MANIFEST}")
        found = [self._main(), manifest]
        if self._lists_all:
            found += [
                self._file(each["path"]) for each in self.files if each["path"] != self.main_file
            ]
        return self._as_chosen("resource", {resource.uri: resource for resource in found})

    def _main(self):
        told = {"skill": {"name": self.name, "is_manifest": False}}
        details = {"description": self.description, "mime_type": "text/markdown"}
        return self._resource(self.main_file, told, details)

    def _file(self, path):
        details = {
            "description": f"File from {self.name} skill",
            "mime_type": kind_of(path) or "application/octet-stream",
        }
        return self._resource(path, {"skill": {"name": self.name}}, details)

    def _resource(self, path, told, details):
        address = f"skill://{self.name}/{path}"
        return SkillFile(address, f"{self.name}/{path}", self.path / path, told, **details)

    async def get_resource_templates(self):
        """Return the template for all files, unless they are listed."""
        made = [] if self._lists_all else [SkillFiles(self)]
        return self._as_chosen("template", {template.key: template for template in made})
