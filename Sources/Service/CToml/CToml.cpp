/* With NDEBUG, toml++ would not check its assertions, but assume that they hold. */
#undef NDEBUG
#include "CToml.h"

#include <cstring>
#include <stdexcept>

/* A failed assertion throws instead of ending the process. In a noexcept function it still ends the
 * process; KeyScanner rejects all text that could fail there. */
#define TOML_ASSERT(condition) \
	do { if (!(condition)) throw std::logic_error("the parser failed"); } while (0)
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

static const toml::node *node(const tg_toml_value *value)
{
	return reinterpret_cast<const toml::node *>(value);
}

static const tg_toml_value *value(const toml::node *node)
{
	return reinterpret_cast<const tg_toml_value *>(node);
}

static void say(char *reason, size_t room, std::string_view words)
{
	size_t size = words.size() < room ? words.size() : room - 1;
	std::memcpy(reason, words.data(), size);
	reason[size] = 0;
}

tg_toml_value *tg_toml_parse(const char *text, size_t size, char *reason, size_t room, int64_t *line)
{
	try {
		auto *table = new toml::table(toml::parse(std::string_view(text, size)));
		return reinterpret_cast<tg_toml_value *>(static_cast<toml::node *>(table));
	} catch (const toml::parse_error &error) {
		say(reason, room, error.description());
		*line = error.source().begin.line;
	} catch (const std::exception &error) {
		say(reason, room, error.what());
		*line = 1;
	} catch (...) {
		say(reason, room, "the parser failed");
		*line = 1;
	}
	return nullptr;
}

void tg_toml_free(tg_toml_value *table) { delete reinterpret_cast<toml::node *>(table); }

enum tg_toml_kind tg_toml_kind(const tg_toml_value *value)
{
	switch (node(value)->type()) {
	case toml::node_type::table: return TG_TOML_TABLE;
	case toml::node_type::array: return TG_TOML_ARRAY;
	case toml::node_type::integer: return TG_TOML_INTEGER;
	case toml::node_type::floating_point: return TG_TOML_FLOAT;
	case toml::node_type::boolean: return TG_TOML_BOOLEAN;
	case toml::node_type::date: return TG_TOML_DATE;
	case toml::node_type::time: return TG_TOML_TIME;
	case toml::node_type::date_time: return TG_TOML_DATE_TIME;
	default: return TG_TOML_STRING;
	}
}

void tg_toml_each(const tg_toml_value *parent, tg_toml_visit *visit, void *context)
{
	if (auto *table = node(parent)->as_table())
		for (auto &&[name, member] : *table) visit(context, name.str().data(), name.str().size(), value(&member));
	else if (auto *array = node(parent)->as_array())
		for (auto &&element : *array) visit(context, nullptr, 0, value(&element));
}

const char *tg_toml_string(const tg_toml_value *value, size_t *size)
{
	const std::string &text = node(value)->as_string()->get();
	*size = text.size();
	return text.data();
}

int64_t tg_toml_integer(const tg_toml_value *value) { return node(value)->as_integer()->get(); }
double tg_toml_float(const tg_toml_value *value) { return node(value)->as_floating_point()->get(); }
bool tg_toml_boolean(const tg_toml_value *value) { return node(value)->as_boolean()->get(); }
