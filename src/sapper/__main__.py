"""`python -m sapper`: the `sapper` command."""

from sapper.cli import main

if __name__ == "__main__":
    main()
