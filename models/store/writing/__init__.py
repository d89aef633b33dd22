"""The writer's methods by topic; `models.store.writer.Writer` is made of them."""
