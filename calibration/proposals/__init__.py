"""What a face seems to say, field by field, each with a certainty; a person confirms or corrects it."""
