"""The report: what a record says, as values; then pages, pictures and exports of them."""
