"""What is changed in packages so that they work here, one module a package."""
