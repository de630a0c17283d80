# Which source files make up what, for every Makefile and script of the
# project.  A file belongs to the folder that it lies in: no list names it.
#
#	include $(ROOT)/src/sources.mk		with ROOT, the project's top directory
#	make -s -f src/sources.mk engine	prints the engine's files

ROOT ?= .
sources = $(sort $(wildcard $(addsuffix /*.c,$(addprefix $(ROOT)/src/,$(1)))))

# Neither PostgreSQL nor CUDA: in the extension, the service and the tests.
ENGINE_SOURCES := $(call sources,exact engine engine/cpu protocol)
SERVICE_SOURCES := $(call sources,service)
BACKEND_SOURCES := $(call sources,pg array supervisor client call state report \
	functions ahead admin)

SOURCE_HEADERS := $(wildcard $(addprefix $(ROOT)/src/,*/*.h */*/*.h))

.PHONY: engine
engine:
	@echo $(ENGINE_SOURCES)
