"""Two sides give speeches in fixed rounds; a judge may cast a ballot."""
