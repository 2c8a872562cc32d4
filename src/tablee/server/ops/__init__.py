"""Operations: metrics, error reports and warm-up."""
