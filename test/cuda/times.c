/*-------------------------------------------------------------------------
 *
 * times.c
 *	  How long warm calls of the CUDA engine take.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"

#include "engine/elements.h"
#include "engine/search.h"

#include <math.h>

#define MAX_REPEATS		101

/* The median of some executions, in ms. */
static double
median_ms(worker *w, const array_case *c, int repeats)
{
	double		ms[MAX_REPEATS];
	size_t		used = w->memory.used;

	for (int i = 0; i < repeats + 2; i++)
	{
		double		start = now_ms();
		outcome		o = execute(w, &gs_engine_cuda, c, w->counts[0]);

		if (i >= 2)
			ms[i - 2] = now_ms() - start;
		if (o.status != GS_OK)
			printf("status %d: %s\n", o.status, o.problem.text);
		w->memory.used = used;
	}
	qsort(ms, repeats, sizeof(double), ascending);
	return ms[repeats / 2];
}

/* Normally distributed data, and what else the operation asks for. */
static void
plain_case(worker *w, array_case *c, int kind, gs_type type, int64_t n)
{
	w->memory.used = 0;
	memset(c, 0, sizeof *c);
	c->op.kind = kind;
	c->op.type = type;
	c->n = n;
	c->cut = CUT_MAX;
	c->data = random_span(&w->memory, type, n, DATA_NORMAL, NULLS_NONE);
	c->mask = random_flags(&w->memory, n, 2, NULLS_NONE);
	c->op.histogram.buckets = 256;
	c->op.histogram.low = -3;
	c->op.histogram.high = 3;
	c->op.histogram.formula = GS_BUCKET_QUOTIENT_FIRST;
	for (int i = 0; i <= 256; i++)
		w->edges[i] = -3 + i * 6.0 / 256;
	c->op.histogram.edges = w->edges;
	c->op.search.keys = (const int64_t *) w->edges;
	c->op.search.count = 257;
	for (int i = 0; kind == GS_SEARCH && i <= 256; i++)
		((int64_t *) w->edges)[i] = type == GS_FLOAT8 ?
			gs_search_key(w->edges[i]) : i;
	for (int64_t i = 0; gs_is_of_elements((gs_kind) kind) && i < n; i++)
	{
		double	   *x = (double *) c->data.values + i;

		*x = fabs(*x) + 0x1p-30;	/* has a root and a logarithm */
	}
	c->op.power.constant = 1.5;
	c->op.round.digits = 2;
	c->op.shift.places = 2;
	c->op.transpose.columns = 1000;
	c->op.filter.compare = GS_LT;
	c->op.pairs.compare = GS_LT;
	c->op.mask.type = GS_BOOL;
	c->op.aggregates = GS_GROUP_SUM;
}

void
print_times(void)
{
	static const int64_t sizes[] = {1000, 100000, 20000000};
	worker		w;

	worker_init(&w, 0, (size_t) 1 << 30, true);
	printf("# median ms of warm calls of float8, by elements (with the check's"
		   " own copies)\n#");
	for (int i = 0; i < 3; i++)
		printf(" %lld", (long long) sizes[i]);
	printf("\n");
	for (int kind = GS_NO_KIND + 1; kind < GS_KINDS; kind++)
	{
		gs_type		type = is_tried(kind, GS_FLOAT8) ? GS_FLOAT8 : GS_INT8;

		/* these need copies in the engine's own memory */
		if (!is_tried(kind, type) || gs_is_placement((gs_kind) kind))
			continue;
		printf("# %-20s", gs_operation_of(kind)->name);
		for (int i = 0; i < 3; i++)
		{
			array_case	c;

			plain_case(&w, &c, kind, type, sizes[i]);
			printf(" %10.4f", median_ms(&w, &c, sizes[i] > 1000000 ? 5 :
										MAX_REPEATS));
		}
		printf("\n");
	}
	worker_end(&w);
}
