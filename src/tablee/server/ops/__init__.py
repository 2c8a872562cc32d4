"""Operations: metrics, error reports, garbage collection and warm-up."""
