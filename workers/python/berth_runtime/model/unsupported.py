"""Types that cannot be validated or described, and what pydantic says of them."""


class NoSchema(TypeError):
    """A type that validation or JSON Schema cannot express."""


class PydanticInvalidForJsonSchema(NoSchema):
    """A type that JSON Schema cannot express, under pydantic's name and with its text."""

    def __init__(self, text):
        page = "https://errors.pydantic.dev/2.14/u/invalid-for-json-schema"
        super().__init__(
            f"Cannot generate a JsonSchema for {text}\n\nFor further information visit {page}"
        )


class PydanticSchemaGenerationError(NoSchema):
    """A type that cannot be validated, under pydantic's name."""


def unknown(annotation):
    """Return the error for an annotation that nothing is known about."""
    hook = "__get_pydantic_core_schema__"
    return PydanticSchemaGenerationError(
        f"Unable to generate pydantic-core schema for {annotation!r}. Set "
        "`arbitrary_types_allowed=True` in the model_config to ignore this error or implement "
        f"`{hook}` on your type to fully support it.\n\nIf you got this error by calling "
        f"handler(<some type>) within `{hook}` then you likely need to call "
        f"`handler.generate_schema(<some type>)` since we do not call `{hook}` on `<some type>` "
        "otherwise to avoid infinite recursion.\n\nFor further information visit "
        "https://errors.pydantic.dev/2.14/u/schema-for-unknown-type"
    )
