# Which source files make up what, for every Makefile and script of the
# project.  A file belongs to the folder that it lies in: no list names it.
#
#	include $(ROOT)/src/sources.mk		with ROOT, the project's top directory
#	make -s -f src/sources.mk engine	prints the engine's files; kernels: CUDA's

ROOT ?= .
# of these folders, and of the rooms in them
sources = $(sort $(wildcard $(foreach room,/*.c /*/*.c,\
	$(addsuffix $(room),$(addprefix $(ROOT)/src/,$(1))))))

# Neither PostgreSQL nor CUDA: in the extension, the service and the tests.
ENGINE_SOURCES := $(call sources,exact engine engine/cpu protocol)
SERVICE_SOURCES := $(call sources,service)
BACKEND_SOURCES := $(call sources,pg array supervisor client call state report \
	functions ahead admin)

SOURCE_HEADERS := $(wildcard $(addprefix $(ROOT)/src/,*/*.h */*/*.h */*/*/*.h))

# The CUDA engine.
KERNEL_SOURCES := $(sort $(wildcard $(addprefix $(ROOT)/kernels/,*.cu */*.cu)))
KERNEL_HEADERS := $(wildcard $(addprefix $(ROOT)/kernels/,*.h *.cuh */*.h */*.cuh))

.PHONY: engine kernels
engine:
	@echo $(ENGINE_SOURCES)
kernels:
	@echo $(KERNEL_SOURCES)
