# gpuscan: what users of PGXS expect (make, make install, make installcheck,
# make uninstall; PG_CONFIG= names the server), and
#
#	make demo	a report over real flights, gpuscan beside plain SQL
#	make check	all tests but those that need a GPU
#	make check-quick	of these, in a minute, what finds most mistakes
#	make check-long		what takes hours: before a release
#	make check-gpu	on a host with a GPU: the engines agree, and the tests on it
#	make unit	the tests that need no server
#	make dist	gpuscan-VERSION.zip, for PGXN, of what is committed
#	make bench	the CPU engine against plain loops, whole statements against
#				plain SQL; the results go into bench/results
#
# demo, check, check-quick, check-long and bench install what they need and run in private clusters of
# their own.  They are scripts, which call this file again.

# Where the sources are: `make -f DIRECTORY/Makefile` builds in another one.
ROOT := $(patsubst %/,%,$(dir $(firstword $(MAKEFILE_LIST))))

BY_SCRIPT = check check-quick check-long check-gpu demo bench
ifneq ($(filter $(BY_SCRIPT),$(MAKECMDGOALS)),)

# These come before there is a pg_config: without a word of PGXS.
.PHONY: $(MAKECMDGOALS)
.NOTPARALLEL:
check demo:
	+@$(ROOT)/tools/$@
check-quick check-long check-gpu:
	+@$(ROOT)/tools/check $(@:check-%=%)
bench:
	+@$(ROOT)/bench/run
$(filter-out $(BY_SCRIPT),$(MAKECMDGOALS)):
	+@$(MAKE) --no-print-directory -f $(firstword $(MAKEFILE_LIST)) $@

else

# What make chose stays chosen, whoever types make install with whatever PATH:
# build/choices.mk has it, until another choice is made on the command line or
# in the environment, or until make clean.
ifeq ($(filter clean distclean,$(MAKECMDGOALS)),)
-include build/choices.mk
endif

PG_CONFIG ?= $(or $(CHOSEN_PG_CONFIG),pg_config)
override PG_CONFIG := $(or $(shell command -v $(PG_CONFIG) 2>/dev/null),$(PG_CONFIG))
PGXS := $(shell $(PG_CONFIG) --pgxs)
ifeq ($(PGXS),)
$(error $(PG_CONFIG) does not run: install the server's development package \
(Debian, Ubuntu: postgresql-server-dev-NN) or set PG_CONFIG=)
endif

# META.json is the one place of the version: its major and minor are the
# extension's.
META_VERSION := $(sort $(shell sed -n '/meta-spec/d; \
	s/.*"version": *"\([^"]*\)".*/\1/p' $(ROOT)/META.json))
EXTVERSION := $(basename $(META_VERSION))
ifneq ($(words $(META_VERSION)),1)
$(error META.json names more than one version: $(META_VERSION))
endif
ifneq ($(shell sed -n "s/^default_version *= *'\(.*\)'/\1/p" $(ROOT)/gpuscan.control),$(EXTVERSION))
$(error default_version in gpuscan.control is not $(EXTVERSION), which META.json says)
endif

include $(ROOT)/src/sources.mk
.DEFAULT_GOAL := all
ENGINE_OBJS := $(patsubst $(ROOT)/%.c,%.o,$(ENGINE_SOURCES))
BACKEND_OBJS := $(patsubst $(ROOT)/%.c,%.o,$(BACKEND_SOURCES))
SERVICE_OBJS := $(patsubst $(ROOT)/%.c,%.o,$(SERVICE_SOURCES))

# The CUDA engine is built into the service where nvcc is found: NVCC=, else
# below CUDA_HOME, on PATH, in the toolkit's usual place.  WITH_CUDA=no leaves
# it out, WITH_CUDA=yes insists on it.  CUDA_HOME says where, not whether: the
# same one again is no other choice.
undefined_all = $(if $(filter-out undefined,$(foreach v,$(1),$(origin $(v)))),,yes)
ifneq ($(and $(CHOSEN_PG_CONFIG),$(call undefined_all,WITH_CUDA NVCC),$(or \
	$(call undefined_all,CUDA_HOME),$(filter $(CHOSEN_CUDA_HOME),$(CUDA_HOME)))),)
CUDA_HOME := $(CHOSEN_CUDA_HOME)
NVCC := $(CHOSEN_NVCC)
NO_CUDA := $(CHOSEN_NO_CUDA)
ifneq ($(NVCC),)
CUDA_ARCHS ?= $(CHOSEN_CUDA_ARCHS)
endif
endif
WITH_CUDA ?= auto
ifeq ($(WITH_CUDA),no)
NVCC :=
NO_CUDA := WITH_CUDA=no
else
NVCC ?= $(shell PATH="$(if $(CUDA_HOME),$(CUDA_HOME)/bin:)$$PATH:/usr/local/cuda/bin"; \
	command -v nvcc)
NO_CUDA ?= nvcc not found
endif

ifneq ($(NVCC),)
override NVCC := $(or $(shell command -v '$(NVCC)' 2>/dev/null),$(NVCC))
NVCC_VERSION := $(shell $(NVCC) --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p')
ifeq ($(NVCC_VERSION),)
$(error $(NVCC) does not run; set NVCC= or CUDA_HOME=, or WITH_CUDA=no)
endif

# Machine code for the common ones, as far as this nvcc knows them: that of 8.0
# serves 8.6 and 8.9 too.  For those to come the driver translates the newest
# one's PTX when the service first starts.
CUDA_ARCHS ?= $(filter $(patsubst sm_%,%,$(shell $(NVCC) --list-gpu-code)),\
	75 80 90)
CUDA_PTX := $(lastword $(CUDA_ARCHS))
# CUDA_QUICK=yes, for where no device code runs: it is compiled quickly, where nvcc
# knows how, and slow, and so is the host's code beside it.  Without it all is
# compiled again.
CUDA_OPT = $(if $(CUDA_QUICK),-O1 $(if $(findstring --Ofast-compile,$(shell $(NVCC) --help)),-Ofc=max),-O3)
NVCC_FLAGS = -I$(ROOT) -I$(ROOT)/src $(CUDA_OPT) -std=c++17 -fmad=false --compiler-options -fPIC \
	$(foreach arch,$(CUDA_ARCHS),-gencode arch=compute_$(arch),code=sm_$(arch)) \
	-gencode arch=compute_$(CUDA_PTX),code=compute_$(CUDA_PTX)
CUDA_OBJS := $(patsubst $(ROOT)/%.cu,%.o,$(KERNEL_SOURCES))
CUDA_LIBS = $(shell $(NVCC) --dryrun -o build/x x.o 2>&1 | \
	sed -n 's/^.. LIBRARIES= *//p') -lcudart_static -lstdc++ -lrt -ldl
CUDA_SAYS := yes (nvcc $(NVCC_VERSION), $(addprefix sm_,$(CUDA_ARCHS)))
else
ifeq ($(WITH_CUDA),yes)
$(error WITH_CUDA=yes, but nvcc is not found: set NVCC= or CUDA_HOME=)
endif
CUDA_SAYS := no ($(NO_CUDA)): CPU engine only
endif

EXTENSION = gpuscan
MODULE_big = gpuscan
OBJS = $(BACKEND_OBJS) $(ENGINE_OBJS)
# The installation script is made from sql/install/.  Those of earlier versions
# and the updates from them, once there are any, are installed too.
DATA = $(patsubst $(ROOT)/%,%,$(wildcard $(ROOT)/sql/gpuscan--*.sql))
DATA_built = build/gpuscan--$(EXTVERSION).sql
SHLIB_LINK = -lm -lpthread
EXTRA_CLEAN = build gpuscand $(SERVICE_OBJS) kernels/*.o kernels/*/*.o
# The server's headers are not ours to warn of.
PG_CPPFLAGS = -isystem $(includedir_server) -I$(srcdir) -I$(srcdir)/src
# make installcheck REGRESS="create samples sort" runs a few of the tests, one
# after the other.  gpuscan_plot draws with block characters where it can.
REGRESS_OPTS = --encoding=UTF8
FDW_TEST := $(if $(wildcard $(shell $(PG_CONFIG) --sharedir)/extension/postgres_fdw.control),fdw fdw_reports)
SCHEDULES ?= arrays arrays_long rows reports
REGRESS = $(patsubst %,--schedule=$(srcdir)/sql/%.schedule,$(SCHEDULES)) $(FDW_TEST)

# Byte code for JIT inlining would need clang, and there is nothing to inline:
# a call of ours is long beside its price.
override with_llvm = no

include $(PGXS)

# In another directory make finds sources by their names.  What has been built
# beside them is not ours.
ifneq ($(ROOT),.)
VPATH :=
vpath gpuscan.control $(ROOT)
$(foreach source,sql/% src/%.c kernels/%.cu bench/%.c,$(eval vpath $(source) $(ROOT)))
$(shell mkdir -p build $(sort $(dir $(OBJS) $(SERVICE_OBJS) $(CUDA_OBJS))))
endif

$(OBJS) $(SERVICE_OBJS): private CFLAGS += -Wextra -Wshadow
$(OBJS): private CFLAGS += -ffp-contract=off
$(ENGINE_OBJS) src/state/state.o src/service/columns_fresh.o src/report/table/map.o: private CFLAGS += -O3
$(SERVICE_OBJS): private CPPFLAGS += -DGS_VERSION='"$(META_VERSION)"' \
	$(if $(CUDA_OBJS),-DGS_WITH_CUDA)

# Objects are remade when a header, this file or what they are compiled with
# changes: another server, COPT=, WITH_CUDA=.
build:
	+@mkdir -p build
define CHOICES
CHOSEN_PG_CONFIG := $(PG_CONFIG)
CHOSEN_NVCC := $(NVCC)
CHOSEN_NO_CUDA := $(if $(NVCC),,$(NO_CUDA))
CHOSEN_CUDA_ARCHS := $(CUDA_ARCHS)
CHOSEN_CUDA_HOME := $(CUDA_HOME)
CHOSEN_CUDA_SERVICE := $(CUDA_SERVICE)
endef
build/flags: FORCE | build
	$(file >build/choices.new,$(CHOICES))
	@cmp -s build/choices.new build/choices.mk || cp build/choices.new build/choices.mk
	$(file >build/flags.new,$(META_VERSION) $(PG_CONFIG) $(CUDA_SAYS) $(NVCC) $(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $(CUDA_SERVICE))
	@cmp -s build/flags.new $@ || cp build/flags.new $@
# A service from elsewhere, with the CUDA engine, that runs instead of the one
# beside the library if it is there: one serves all servers of a host.
CUDA_SERVICE ?= $(CHOSEN_CUDA_SERVICE)
ifneq ($(CUDA_SERVICE),)
src/supervisor/launch.o: private CPPFLAGS += -DGS_CUDA_SERVICE='"$(CUDA_SERVICE)"'
endif

$(OBJS) $(SERVICE_OBJS): $(SOURCE_HEADERS) $(wildcard $(ROOT)/kernels/*.h) \
	$(ROOT)/Makefile build/flags

$(DATA_built): $(wildcard $(ROOT)/sql/install/*) $(ROOT)/Makefile | build
	awk -f $(ROOT)/sql/install/expand.awk $(ROOT)/sql/install/gpuscan.sql.in >$@.new
	mv $@.new $@

# The service stands beside the library.  The last line says what was built.
all: gpuscand
	@echo "gpuscan: CUDA engine: $(CUDA_SAYS)"
gpuscand: $(SERVICE_OBJS) $(ENGINE_OBJS) $(CUDA_OBJS)
	$(CC) $(CFLAGS) $^ $(LDFLAGS) $(LDFLAGS_EX) $(CUDA_LIBS) -lm -lpthread -o $@

# Device code takes long to make: not again for flags that are the host's.
build/nvcc-flags: FORCE | build
	$(file >build/nvcc-flags.new,$(NVCC) $(NVCC_VERSION) $(NVCC_FLAGS))
	@cmp -s build/nvcc-flags.new $@ || cp build/nvcc-flags.new $@
%.o: %.cu build/nvcc-flags $(KERNEL_HEADERS) $(SOURCE_HEADERS)
	$(NVCC) $(NVCC_FLAGS) -c $< -o $@

install: install-service
install-service: all installdirs
	$(INSTALL_PROGRAM) gpuscand '$(DESTDIR)$(pkglibdir)/gpuscand'
uninstall: uninstall-service
uninstall-service:
	rm -f '$(DESTDIR)$(pkglibdir)/gpuscand'
	@echo "gpuscan: a database where gpuscan is still enabled accepts no session now:"
	@echo "gpuscan: ALTER DATABASE ... RESET session_preload_libraries, from another one, ends that"

build/bench-engine: bench/engine.c $(ENGINE_OBJS) | build
build/bench-groups: bench/groups_cpu.c $(ENGINE_OBJS) | build
build/bench-engine build/bench-groups:
	$(CC) $(CFLAGS) -Wextra -Wshadow -O3 -ffp-contract=off -I$(ROOT)/src $^ -lm -o $@

unit:
	$(MAKE) -C $(ROOT)/test/unit check

dist:
	git -C $(ROOT) archive --format=zip --prefix=gpuscan-$(META_VERSION)/ \
		-o $(CURDIR)/gpuscan-$(META_VERSION).zip HEAD

.PHONY: dist unit install-service uninstall-service FORCE

endif
