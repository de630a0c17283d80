/*-------------------------------------------------------------------------
 *
 * multiset.c
 *	  Values in order, which come and go: those of a moving frame.
 *
 * An AVL tree (Adelson-Velsky and Landis, 1962) with a node for each distinct
 * value.  A node knows how many values its subtree has, which finds the value of
 * a rank, and how often the most frequent one occurs, which finds the mode.
 *
 * Nodes are in an array and refer to each other by their places in it, which
 * takes half of the memory of pointers.  Place 0 is an empty subtree.  A tree of
 * 2^32 nodes is at most 46 high, so functions may call themselves.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "utils/datum.h"
#include "utils/numeric.h"

#include "engine/percentile.h"
#include "functions/order/decimal_order.h"
#include "functions/order/multiset.h"
#include "functions/order/sort.h"

struct gs_multiset_node
{
	int64		key;			/* gs_order_key; of numeric, a Datum */
	uint32		left;
	uint32		right;
	uint32		count;			/* of the value */
	uint32		total;			/* of all values of the subtree */
	uint32		most;			/* the greatest count in the subtree */
	int32		height;			/* of the subtree */
};

/* Nodes that a new tree has memory for. */
#define INITIAL_CAPACITY	8

gs_multiset *
gs_multiset_new(MemoryContext context, gs_type type, bool decimals,
				bool by_value)
{
	gs_multiset *m = MemoryContextAllocZero(context, sizeof(gs_multiset));

	m->context = context;
	m->type = type;
	m->decimals = decimals;
	m->by_value = by_value;
	m->node = MemoryContextAllocZero(context, INITIAL_CAPACITY *
									 sizeof(gs_multiset_node));
	m->capacity = INITIAL_CAPACITY;
	m->used = 1;
	return m;
}

static int64
key_of(const gs_multiset *m, gs_number value)
{
	if (m->decimals || !gs_is_float(m->type))
		return value.i;
	return gs_order_key_of_double(m->by_value ? value.d + 0.0 : value.d);
}

static gs_number
value_of(const gs_multiset *m, uint32 t)
{
	gs_number	value = {m->node[t].key};

	if (!m->decimals && gs_is_float(m->type))
		value.d = gs_double_of_order_key(value.i);
	return value;
}

static int
compare_decimals(int64 a, int64 b)
{
	return DatumGetInt32(DirectFunctionCall2(numeric_cmp, (Datum) a,
											 (Datum) b));
}

static inline int
compare(const gs_multiset *m, int64 a, int64 b)
{
	if (likely(!m->decimals))
		return (a > b) - (a < b);
	return m->by_value ? compare_decimals(a, b) :
		gs_decimal_compare((Datum) a, (Datum) b);
}

/* ----------
 * Balance
 * ----------
 */

/* What a node knows of its subtree. */
static inline void
update(gs_multiset *m, uint32 t)
{
	gs_multiset_node *n = &m->node[t];
	const gs_multiset_node *left = &m->node[n->left];
	const gs_multiset_node *right = &m->node[n->right];

	n->total = n->count + left->total + right->total;
	n->most = Max(n->count, Max(left->most, right->most));
	n->height = 1 + Max(left->height, right->height);
}

static uint32
rotate_right(gs_multiset *m, uint32 t)
{
	uint32		top = m->node[t].left;

	m->node[t].left = m->node[top].right;
	m->node[top].right = t;
	update(m, t);
	update(m, top);
	return top;
}

static uint32
rotate_left(gs_multiset *m, uint32 t)
{
	uint32		top = m->node[t].right;

	m->node[t].right = m->node[top].left;
	m->node[top].left = t;
	update(m, t);
	update(m, top);
	return top;
}

/* How much higher the left subtree is. */
static inline int
lean(const gs_multiset *m, uint32 t)
{
	return m->node[m->node[t].left].height - m->node[m->node[t].right].height;
}

/* A subtree one of whose sides has changed by one value; returns its root. */
static inline uint32
balance(gs_multiset *m, uint32 t)
{
	int			side = lean(m, t);

	if (unlikely(side > 1))
	{
		if (lean(m, m->node[t].left) < 0)
			m->node[t].left = rotate_left(m, m->node[t].left);
		return rotate_right(m, t);
	}
	if (unlikely(side < -1))
	{
		if (lean(m, m->node[t].right) > 0)
			m->node[t].right = rotate_right(m, m->node[t].right);
		return rotate_left(m, t);
	}
	update(m, t);
	return t;
}

/* ----------
 * Values that come
 * ----------
 */

static void
grow(gs_multiset *m)
{
	if (m->capacity > PG_UINT32_MAX / 2)
		ereport(ERROR,
				errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				errmsg("a frame of more than %u distinct values is too large",
					   m->capacity - 1));
	m->capacity *= 2;
	m->node = repalloc_huge(m->node,
							(Size) m->capacity * sizeof(gs_multiset_node));
}

static int64
copy_decimal(const gs_multiset *m, int64 key)
{
	MemoryContext old = MemoryContextSwitchTo(m->context);
	Datum		copy = datumCopy((Datum) key, false, -1);

	MemoryContextSwitchTo(old);
	return (int64) copy;
}

static uint32
new_node(gs_multiset *m, int64 key)
{
	uint32		t = m->unused;

	if (m->decimals)
		key = copy_decimal(m, key);
	if (t != 0)
		m->unused = m->node[t].left;
	else
	{
		if (m->used == m->capacity)
			grow(m);
		t = m->used++;
	}
	m->node[t] = (gs_multiset_node)
	{
		.key = key,.count = 1,.total = 1,.most = 1,.height = 1
	};
	m->distinct++;
	return t;
}

/* Add to a subtree; returns its root. */
static uint32
add(gs_multiset *m, uint32 t, int64 key)
{
	uint32		child;
	int			side;

	if (t == 0)
		return new_node(m, key);
	side = compare(m, key, m->node[t].key);
	if (side == 0)
	{
		m->node[t].count++;
		update(m, t);
		return t;
	}
	/* the nodes may move meanwhile */
	child = add(m, side < 0 ? m->node[t].left : m->node[t].right, key);
	if (side < 0)
		m->node[t].left = child;
	else
		m->node[t].right = child;
	return balance(m, t);
}

void
gs_multiset_add(gs_multiset *m, gs_number value)
{
	if (unlikely(m->node[m->root].total == PG_UINT32_MAX))
		ereport(ERROR,
				errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				errmsg("a frame of more than %u values is too large",
					   PG_UINT32_MAX));
	m->root = add(m, m->root, key_of(m, value));
}

/* ----------
 * Values that go
 * ----------
 */

/* Take the first node from a subtree; returns what is its root then. */
static uint32
take_first(gs_multiset *m, uint32 t, uint32 *first)
{
	if (m->node[t].left == 0)
	{
		*first = t;
		return m->node[t].right;
	}
	m->node[t].left = take_first(m, m->node[t].left, first);
	return balance(m, t);
}

static void
free_node(gs_multiset *m, uint32 t)
{
	if (m->decimals)
		pfree(DatumGetPointer((Datum) m->node[t].key));
	m->node[t].left = m->unused;
	m->unused = t;
	m->distinct--;
}

/* Take the root from a subtree; returns the new one. */
static uint32
take_root(gs_multiset *m, uint32 t)
{
	uint32		left = m->node[t].left;
	uint32		right = m->node[t].right;
	uint32		top;

	free_node(m, t);
	if (left == 0 || right == 0)
		return left + right;
	right = take_first(m, right, &top);
	m->node[top].left = left;
	m->node[top].right = right;
	return balance(m, top);
}

/* Remove from a subtree; returns its root. */
static uint32
drop(gs_multiset *m, uint32 t, int64 key)
{
	int			side;

	if (unlikely(t == 0))
		elog(ERROR, "the value to be removed is not in the frame");
	side = compare(m, key, m->node[t].key);
	if (side < 0)
		m->node[t].left = drop(m, m->node[t].left, key);
	else if (side > 0)
		m->node[t].right = drop(m, m->node[t].right, key);
	else if (--m->node[t].count == 0)
		return take_root(m, t);
	return balance(m, t);
}

void
gs_multiset_remove(gs_multiset *m, gs_number value)
{
	m->root = drop(m, m->root, key_of(m, value));
}

/* ----------
 * Values that are there
 * ----------
 */

int64
gs_multiset_count(const gs_multiset *m)
{
	return m->node[m->root].total;
}

gs_number
gs_multiset_at(const gs_multiset *m, int64 rank)
{
	uint32		t = m->root;

	for (;;)
	{
		const gs_multiset_node *n = &m->node[t];
		int64		before = m->node[n->left].total;

		if (rank < before)
			t = n->left;
		else if (rank < before + n->count)
			return value_of(m, t);
		else
		{
			rank -= before + n->count;
			t = n->right;
		}
		Assert(t != 0);
	}
}

gs_number
gs_multiset_mode(const gs_multiset *m)
{
	const uint32 most = m->node[m->root].most;
	uint32		t = m->root;

	for (;;)
	{
		const gs_multiset_node *n = &m->node[t];

		if (m->node[n->left].most == most)
			t = n->left;
		else if (n->count == most)
			return value_of(m, t);
		else
			t = n->right;
	}
}

gs_number
gs_multiset_first_equal(const gs_multiset *m, gs_number value, int64 *rank)
{
	uint32		first = 0;
	int64		before = 0;

	for (uint32 t = m->root; t != 0;)
	{
		const gs_multiset_node *n = &m->node[t];

		if (compare_decimals(value.i, n->key) <= 0)
		{
			first = t;
			t = n->left;
		}
		else
		{
			before += m->node[n->left].total + n->count;
			t = n->right;
		}
	}
	*rank = before;
	return value_of(m, first);
}

static gs_number
element(const gs_multiset *m, int64 rank)
{
	gs_number	value = gs_multiset_at(m, rank);

	return m->decimals ? gs_multiset_first_equal(m, value, &rank) : value;
}

static gs_pair
pair_of(const gs_multiset *m, gs_number value)
{
	return gs_is_float(m->type) ? gs_percentile_float(value.d) :
		gs_percentile_integer(value.i);
}

Datum
gs_multiset_percentile(const gs_multiset *m, double fraction, bool discrete)
{
	int64		n = gs_multiset_count(m);
	gs_place	place = gs_percentile_place(fraction, discrete, n);
	gs_number	low = element(m, place.rank);
	gs_number	high = place.proportion > 0 ? element(m, place.rank + 1) : low;

	if (m->decimals)
		return discrete ? datumCopy((Datum) low.i, false, -1) :
			datumCopy(gs_decimal_between((Datum) low.i, (Datum) high.i,
										 fraction, place, n), false, -1);
	if (discrete)
		return gs_datum_from_number(low, m->type);
	return Float8GetDatum(gs_percentile_value(pair_of(m, low),
											  pair_of(m, high),
											  place.proportion));
}
