/*-------------------------------------------------------------------------
 *
 * values_test.c
 *	  Values in a message: what is put comes back; what does not fit, or lies
 *	  about its size, is told.
 *
 *-------------------------------------------------------------------------
 */
#include "unit.h"

#include "protocol/report.h"

#define HEAD	40				/* bytes before the values */
#define VALUES	9

/* Sizes around words. */
static const uint32_t sizes[VALUES] = {0, 1, 2, 3, 4, 5, 8, 4095, 4096};

/* Put all values into memory of so many bytes; 0: they do not fit. */
static size_t
put_all(char *message, size_t size, const char *bytes)
{
	size_t		at = HEAD;

	for (int i = 0; i < VALUES && at != 0; i++)
		at = gs_values_put(message, size, at, bytes, sizes[i]);
	return at;
}

static size_t
size_of_all(void)
{
	size_t		size = HEAD;

	for (int i = 0; i < VALUES; i++)
		size += 4 + (sizes[i] + 3) / 4 * 4;
	return size;
}

static void
test_put(void)
{
	size_t		size = size_of_all();
	char	   *bytes = allocate(4096);
	char	   *message = allocate(size);
	const char *value;
	uint32_t	length;
	size_t		at = HEAD;

	test_begin("values in a message come back");
	for (int i = 0; i < 4096; i++)
		bytes[i] = (char) (random_bits() | 1);
	memset(message, 1, size);
	expect(put_all(message, size, bytes) == size, "they take their size");
	for (int i = 0; i < VALUES; i++)
	{
		size_t		next = gs_values_get(message, size, at, &value, &length);

		expect(next > at && length == sizes[i] &&
			   memcmp(value, bytes, length) == 0, "value %d", i);
		for (const char *fill = value + length; fill < message + next; fill++)
			expect(*fill == 0, "filled up with zeros");
		at = next;
	}
	expect(at == size, "the end");
	expect(gs_values_get(message, size, at, &value, &length) == 0,
		   "nothing behind it");
	test_end();

	test_begin("values that do not fit in a message");
	for (size_t less = HEAD; less < size; less++)
	{
		char	   *small = allocate(less);

		expect(put_all(small, less, bytes) == 0, "%zu bytes", less);
		free(small);
	}
	test_end();
	free(message);
	free(bytes);
}

static void
test_get(void)
{
	static const uint32_t wrong[] = {
		5, 8, 9, 4096, INT32_MAX, UINT32_MAX - 4, UINT32_MAX - 3, UINT32_MAX
	};
	char	   *message = allocate(12);
	const char *value;
	uint32_t	length = 3;

	test_begin("sizes of values that are not true");
	memset(message, 1, 12);
	memcpy(message + 4, &length, 4);
	expect(gs_values_get(message, 12, 4, &value, &length) == 12 && length == 3,
		   "a size that is");
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
	{
		memcpy(message + 4, &wrong[i], 4);
		expect(gs_values_get(message, 12, 4, &value, &length) == 0, "%u",
			   (unsigned) wrong[i]);
	}
	for (size_t at = 9; at < 20; at++)
		expect(gs_values_get(message, 12, at, &value, &length) == 0,
			   "at %zu", at);
	test_end();
	free(message);
}

void
test_message_values(void)
{
	test_put();
	test_get();
}
