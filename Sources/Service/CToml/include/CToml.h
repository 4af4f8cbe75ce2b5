#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* TOML 1.0, parsed by toml++. Values are valid until their root table is freed. */
typedef struct tg_toml_value tg_toml_value;

enum tg_toml_kind {
	TG_TOML_TABLE,
	TG_TOML_ARRAY,
	TG_TOML_STRING,
	TG_TOML_INTEGER,
	TG_TOML_FLOAT,
	TG_TOML_BOOLEAN,
	TG_TOML_DATE,
	TG_TOML_TIME,
	TG_TOML_DATE_TIME,
};

/* Returns a table, which the caller frees. On failure it returns NULL and sets the reason, cut off
 * if it is too long, and the line, counted from 1. */
tg_toml_value *tg_toml_parse(const char *text, size_t size, char *reason, size_t room, int64_t *line);
void tg_toml_free(tg_toml_value *table);

enum tg_toml_kind tg_toml_kind(const tg_toml_value *value);

/* Called with each value of a table or an array; for a table also with the name of the member. */
typedef void tg_toml_visit(void *context, const char *name, size_t size, const tg_toml_value *value);
void tg_toml_each(const tg_toml_value *value, tg_toml_visit *visit, void *context);

/* The value must be of this kind. */
const char *tg_toml_string(const tg_toml_value *value, size_t *size);
int64_t tg_toml_integer(const tg_toml_value *value);
double tg_toml_float(const tg_toml_value *value);
bool tg_toml_boolean(const tg_toml_value *value);

#ifdef __cplusplus
}
#endif
