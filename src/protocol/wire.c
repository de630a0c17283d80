/*-------------------------------------------------------------------------
 *
 * wire.c
 *	  What a backend and gpuscand must do the same way: lay out data, and pass
 *	  staging memory.
 *
 * Neither side sends offsets.  Both derive them from the operation and the
 * numbers of elements, so there is nothing to validate beyond these numbers.
 *
 *-------------------------------------------------------------------------
 */
#include <string.h>
#include <sys/socket.h>

#include "protocol/protocol.h"

/* What a message says of an operation.  The sender's pointers lead nowhere. */
void
gs_op_receive(gs_op *op, const gs_op *message)
{
	*op = *message;
	op->histogram.edges = NULL;
	op->search.keys = NULL;
	op->cached = 0;
}

/* The parts follow each other in the order of gs_input_layout's members. */
void
gs_lay_input(const gs_op *op, bool edges, int64_t n, int64_t present,
			 int64_t mask_present, gs_input_layout *layout)
{
	size_t		bitmap = gs_staging_align(((size_t) n + 7) / 8);
	size_t		at = 0;

	layout->edges = at;
	if (edges)
		at += gs_staging_align((size_t) gs_edge_count(op) * sizeof(double));
	layout->values = at;
	at += gs_staging_align((size_t) present *
					 (size_t) gs_type_width((gs_type) op->type));
	layout->validity = at;
	if (present < n)
		at += bitmap;
	layout->mask = at;
	layout->mask_validity = at;
	if (gs_has_mask(op))
	{
		at += gs_staging_align((size_t) mask_present *
						 (size_t) gs_type_width(gs_mask_type(op)));
		layout->mask_validity = at;
		if (mask_present < n)
			at += bitmap;
	}
	layout->size = at;
}

/*
 * One part of an argument that is loaded.  If the array has a bitmap, each
 * part has one.
 */
void
gs_lay_load(gs_type type, bool nulls, int64_t n, int64_t present,
			gs_input_layout *layout)
{
	layout->edges = 0;
	layout->values = 0;
	layout->validity = gs_staging_align((size_t) present *
								  (size_t) gs_type_width(type));
	layout->size = layout->validity +
		(nulls ? gs_staging_align(((size_t) n + 7) / 8) : 0);
	layout->mask = layout->mask_validity = layout->size;
}

/* The number of its elements that fit a slot; a multiple of GS_BATCH_ALIGN. */
int64_t
gs_load_elements(gs_type type, bool nulls, size_t slot_size)
{
	gs_input_layout layout;

	gs_lay_load(type, nulls, GS_BATCH_ALIGN, GS_BATCH_ALIGN, &layout);
	return (int64_t) (slot_size / layout.size) * GS_BATCH_ALIGN;
}

/* The element type of an argument that is loaded. */
gs_type
gs_argument_type(const gs_op *op, int argument)
{
	return argument == GS_MASK ? gs_mask_type(op) :
		argument == GS_THIRD ? gs_third_type(op) : (gs_type) op->type;
}

/* The number of its elements, where the results are n. */
int64_t
gs_argument_elements(const gs_op *op, int argument, int64_t n)
{
	return argument == GS_DATA ? n : gs_mask_elements(op, n);
}

void
gs_lay_output(const gs_op *op, int64_t n, gs_output_layout *layout)
{
	layout->values = 0;
	layout->validity = gs_staging_align((size_t) n *
								  (size_t) gs_type_width(gs_output_type(op)));
	layout->size = layout->validity + gs_staging_align(((size_t) n + 7) / 8);
}

/* The maximum size, in bytes, of the data of a CALL's RESULT. */
size_t
gs_call_reply_size(const gs_op *op, int64_t n)
{
	gs_output_layout layout;

	if (gs_is_histogram((gs_kind) op->kind))
		return ((size_t) op->histogram.buckets + 3) * sizeof(int64_t);
	if (!gs_has_output(op))
		return 0;
	gs_lay_output(op, n, &layout);
	return layout.size;
}

/*
 * The number of elements whose input fits one slot, and whose results fit
 * another; a multiple of GS_BATCH_ALIGN.
 */
int64_t
gs_slot_elements(const gs_op *op, size_t slot_size)
{
	gs_input_layout input;
	gs_output_layout output;
	size_t		unit;

	/* with one NULL each, to count the bitmaps */
	gs_lay_input(op, false, GS_BATCH_ALIGN, GS_BATCH_ALIGN - 1,
				 GS_BATCH_ALIGN - 1, &input);
	unit = input.size;
	if (gs_has_output(op))
	{
		gs_lay_output(op, GS_BATCH_ALIGN, &output);
		if (output.size > unit)
			unit = output.size;
	}
	return (int64_t) (slot_size / unit) * GS_BATCH_ALIGN;
}

/* Space for a message's descriptor. */
typedef union control
{
	struct cmsghdr header;
	char		space[CMSG_SPACE(sizeof(int))];
} control;

/* Send a message with the memory's descriptor; otherwise like send(). */
ssize_t
gs_send_memory(int socket, const void *message, size_t length, int memory)
{
	struct iovec iov = {(void *) message, length};
	control		with = {.header = {
			.cmsg_level = SOL_SOCKET,
			.cmsg_type = SCM_RIGHTS,
			.cmsg_len = CMSG_LEN(sizeof memory)
	}};
	struct msghdr m = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = &with, .msg_controllen = sizeof with
	};

	memcpy(CMSG_DATA(&with.header), &memory, sizeof memory);
	return sendmsg(socket, &m, MSG_NOSIGNAL);
}

/*
 * Receive a message, without blocking; otherwise like recv().  If a descriptor
 * came with it, the caller must close it; -1: none did.
 */
ssize_t
gs_receive_memory(int socket, void *message, size_t size, int *memory)
{
	struct iovec iov = {message, size};
	control		with;
	struct msghdr m = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = &with, .msg_controllen = sizeof with
	};
	ssize_t		got = recvmsg(socket, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);

	*memory = -1;
	if (got > 0 && m.msg_controllen >= sizeof with &&
		with.header.cmsg_level == SOL_SOCKET &&
		with.header.cmsg_type == SCM_RIGHTS &&
		with.header.cmsg_len == CMSG_LEN(sizeof *memory))
		memcpy(memory, CMSG_DATA(&with.header), sizeof *memory);
	return got;
}
