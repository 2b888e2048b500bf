"""A section on the terminal."""

from rich.markup import escape

from kontrast.reporting.section import Section, for_people, row_texts
from kontrast.reporting.terminal import print_lines, print_table


def print_sections(sections: tuple[Section, ...]) -> None:
    """Every section that is meant to be read."""
    for i, section in enumerate(s for s in sections if not s.data):
        if i:
            print_lines("")
        print_section(section)


def print_section(section: Section) -> None:
    """Title, text, table and caption, the lines to copy."""
    print_lines(f"[bold]{escape(section.title)}[/bold]", *(f"[dim]{escape(text)}[/dim]" for text in section.text))
    if section.table is not None:
        table = for_people(section.table)
        rows = [row_texts(table, row) for row in table.rows]
        print_table([column.name for column in table.columns], rows)
        if table.caption:
            print_lines(f"[dim]{escape(table.caption)}[/dim]")
    print_lines(*(f"  {escape(line)}" for text in section.verbatim for line in text.splitlines()))
