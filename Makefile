# SPDX-License-Identifier: GPL-3.0-or-later
#
# Building, testing and running coulombench; `make help` lists the targets. A new source file, case,
# solver or test needs no edit here: sources are found by their place.
#
#   build/coulombench              the program (release); beside it coulombench-siconos,
#                                  coulombench-fclib and peers/ENGINE, where their libraries are
#   build/<mode>/                  objects, archive, tests of a mode: release, debug, sanitize
#   build/config.mk                written when scripts/setup.sh has found or installed what is needed
#   build/<mode>/flags             the compiler and its flags but -Werror: a change rebuilds
#   build/<mode>/gen/provenance.h  what a record says about the build, and hashes of the sources
#
# Results must not depend on the compiler's choices: no -ffast-math, no contraction to fused
# multiply-add, no -march=native. -O3 takes 8 to 13 % off the time of sweeps and of penalty's steps
# and leaves their bits; AVX2 on top of it takes off nothing. Nobody asks for flags of floating-point
# exceptions: with -fno-trapping-math a choice between two numbers is a mask and no branch.
# Tests, engines and commands are compiled with -O1 in half of the time and to
# the same bits. Only the other modes have -g, which takes a quarter of the time.

## Variables: MODE=release|debug|sanitize  WERROR=1 (warnings are errors)  JOBS=N (default: all cores)
##            SUITE=default|quick|medium|full|paper|FILE.json  T=TEXT (tests, measurements whose name holds TEXT)
##            SECONDS=60 (of `make fuzz`, all harnesses together)  RUNS=N (inputs a harness instead)
##            PEERS=1 (install Siconos' solvers, engines, and what FCLIB's files and the Python example need)
##            BROWSER=1 (install the browser that the test of the report page runs)
##            SLURM=1 (install Slurm, GNU parallel, Snakemake; as root a test starts a cluster of this machine)
##            EXTRA=DIR (a folder of your own cases, formulations, solvers, see src/README.md)
##            SHARED=build (whose objects a build with EXTRA takes over, all but the registries)
##            PREFIX=/usr/local  DESTDIR=  CC=gcc  BUILD=build

MODE = release
WERROR =
JOBS = $(shell nproc 2>/dev/null || echo 1)
SUITE = default
T =
EXTRA =
PEERS =
BROWSER =
SLURM =
SECONDS = 60
RUNS =
PREFIX ?= /usr/local
BUILD = build
SHARED = build
VERSION = 0.1.0
ifeq ($(origin CC),default)
  CC = gcc
endif

# Only clang has libFuzzer; `make fuzz` sets the mode.
ifeq ($(MODE),fuzz)
  override CC = clang
endif
ifeq ($(filter release debug sanitize fuzz,$(MODE)),)
  $(error MODE is release, debug or sanitize, not '$(MODE)')
endif

HASH := \#
# Text as one word of a recipe's shell, whatever is in it, and as a string of C in such a word.
quote = '$(subst ','\'',$(1))'
c_string = $(call quote,"$(subst ",\",$(subst \,\\,$(1)))")
# A folder or file that was given, from wherever one looks at it.
from_root = $(if $(filter /%,$(1)),$(1),$(CURDIR)/$(1))

# The source tree and PREFIX may be called anything. BUILD and EXTRA become names of targets, which
# to make are words and patterns.
ODD = *[[:space:]\'\"\$$\`\&\|\;\<\>\(\)\*\?\$(HASH)\%\:\\]*
$(foreach name,BUILD EXTRA SHARED,$(if $(shell case $(call quote,$($(name))) in ($(ODD)) echo odd ;; esac),\
  $(error $(name): a path without blanks and characters of make or the shell, not '$($(name))')))
override EXTRA := $(patsubst %/,%,$(EXTRA))
ifneq ($(EXTRA),)
  ifeq ($(wildcard $(EXTRA)/registry.h),)
    $(error EXTRA: there is no $(EXTRA)/registry.h, which has the lines CASE(name), FORMULATION(name), SOLVER(name))
  endif
endif

.DEFAULT_GOAL = all
.DELETE_ON_ERROR:
.SUFFIXES:
.PHONY: all tests test bench paper readme guide guide-check readme-records perf sanitize fuzz lint install uninstall deb clean help FORCE
MAKEFLAGS += --no-print-directory
ifeq ($(MAKELEVEL),0)
  MAKEFLAGS += -j$(JOBS) # -jN on the command line wins
endif

# ---- What is needed on this machine -------------------------------------------------------------
# config.mk brings PACKAGE_CFLAGS and PACKAGE_LIBS; make writes it first and then starts again.
WITHOUT_SETUP = clean help uninstall
ifneq ($(filter-out $(WITHOUT_SETUP),$(or $(MAKECMDGOALS),all)),)
  include $(BUILD)/config.mk
endif

# GSL's own BLAS is left out: OpenBLAS serves both. CHOLMOD, SPQR and UMFPACK come without
# pkg-config files.
$(BUILD)/config.mk: scripts/setup.sh
	@scripts/setup.sh
	@mkdir -p $(@D)
	@{ echo "PACKAGE_CFLAGS = $$(pkg-config --cflags gsl lapacke openblas libcjson)"; \
	   echo "PACKAGE_LIBS = $$(pkg-config --libs gsl lapacke openblas libcjson) -lspqr -lcholmod -lumfpack"; } > $@

# Programs of others, and libraries of programs beside ours, are optional: built with where they are
# found.
WANTED = $(if $(PEERS),--peers) $(if $(BROWSER),--browser) $(if $(SLURM),--slurm)
ifneq ($(and $(strip $(WANTED)),$(filter-out $(WITHOUT_SETUP),$(or $(MAKECMDGOALS),all))),)
  ifneq ($(shell scripts/setup.sh $(WANTED) && echo there),there)
    $(error PEERS=1, BROWSER=1, SLURM=1: what is said above is missing)
  endif
endif
SICONOS_CPPFLAGS = -isystem /usr/include/siconos -isystem /usr/include/siconos/numerics
SICONOS := $(shell echo '$(HASH)include <NonSmoothDrivers.h>' | \
                   $(CC) $(SICONOS_CPPFLAGS) -E -x c - >/dev/null 2>&1 && echo siconos)
HDF5 := $(shell pkg-config --exists hdf5 2>/dev/null && echo fclib)
HDF5_CPPFLAGS := $(if $(HDF5),$(patsubst -I%,-isystem %,$(shell pkg-config --cflags hdf5)))
HDF5_LIBS := $(if $(HDF5),$(shell pkg-config --libs hdf5))

MECHANICS_CPPFLAGS = $(SICONOS_CPPFLAGS) -isystem /usr/include/siconos/kernel -isystem /usr/include/siconos/mechanics
# The library does not tell its version; the package does.
MECHANICS_VERSION = $(or $(shell dpkg-query -W -f '$${Version}' libsiconos-mechanics-dev 2>/dev/null | sed 's/[+-].*//'),of unknown version)
# Engines of Node: their package, and which of its files they need.
NPM = build/npm/node_modules
PACKAGE_mujoco = @mujoco/mujoco
FILES_mujoco = package.json mujoco.js mujoco.wasm
PACKAGE_rapier = @dimforge/rapier3d-compat
FILES_rapier = package.json dist/rapier.mjs
PACKAGE_jolt = jolt-physics
FILES_jolt = package.json dist/jolt-physics.wasm-compat.js
NODE_ENGINES := $(if $(shell command -v node),$(foreach e,mujoco rapier jolt,$(if $(wildcard $(NPM)/$(PACKAGE_$(e))/package.json),$(e))))
ENGINES := $(NODE_ENGINES) $(shell pkg-config --exists ode 2>/dev/null && echo ode) \
           $(shell echo '$(HASH)include <mujoco/mujoco.h>' | $(CC) -E -x c - >/dev/null 2>&1 && echo mujoco-2) \
           $(shell pkg-config --exists bullet-float64 2>/dev/null && command -v $(CXX) >/dev/null && echo bullet) \
           $(shell echo '$(HASH)include <MechanicsFwd.hpp>' | $(CXX) $(MECHANICS_CPPFLAGS) -E -x c++ - >/dev/null 2>&1 && echo siconos)
ENGINE_LIBS_ode = $(shell pkg-config --libs ode)
ENGINE_LIBS_mujoco-2 = -lmujoco
ENGINE_LIBS_bullet = $(shell pkg-config --libs bullet-float64) -lstdc++
ENGINE_LIBS_siconos = -lsiconos_mechanics -lsiconos_kernel -lsiconos_numerics -lstdc++
BULLET_CPPFLAGS = $(patsubst -I%,-isystem %,$(shell pkg-config --cflags bullet-float64))

# ---- Flags --------------------------------------------------------------------------------------
WARNINGS = -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
           -Wpointer-arith -Wvla $(if $(OPENMP),,-Wno-unknown-pragmas)
OPTIMISE_release = -O3
OPTIMISE_debug = -O0 -g
OPTIMISE_sanitize = -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all \
                    -fno-omit-frame-pointer
OPTIMISE_fuzz = -O2 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all \
                -fno-omit-frame-pointer $(UNTRACED)
# OpenMP where the compiler brings it; without it everything runs on one thread, with the same bits.
OPENMP := $(shell echo 'int main(void) { return 0; }' | \
                  $(CC) -fopenmp -x c - -o /dev/null 2>/dev/null && echo -fopenmp)
CODEGEN = -std=gnu11 $(OPTIMISE_$(MODE)) -fno-math-errno -fno-trapping-math -ffp-contract=off \
          $(OPENMP)
CPPFLAGS = -D_GNU_SOURCE -Isrc -I. $(patsubst -I%,-isystem %,$(PACKAGE_CFLAGS))
CFLAGS = $(CODEGEN) $(WARNINGS) $(if $(WERROR),-Werror)
# OpenBLAS without threads, also for the libraries that ask for a BLAS: the threads of the other one
# start with every program and spin for work that never comes.
COMMA = ,
SERIAL_BLAS := $(firstword $(wildcard /usr/lib/*/openblas-serial))
LIBS = $(if $(SERIAL_BLAS),-L$(SERIAL_BLAS) -Wl$(COMMA)--disable-new-dtags$(COMMA)-rpath$(COMMA)$(SERIAL_BLAS)) $(filter-out -lgslcblas -lm,$(PACKAGE_LIBS)) -lm

# ---- Files --------------------------------------------------------------------------------------
B = $(BUILD)/$(MODE)
O = $(if $(EXTRA),$(SHARED),$(BUILD))/$(MODE)
PROGRAM = $(if $(filter release,$(MODE)),$(BUILD),$(B))/coulombench
ENGINE_PROGRAMS = $(ENGINES:%=$(dir $(PROGRAM))peers/%)
PEER_PROGRAMS = $(addprefix $(dir $(PROGRAM))coulombench-,$(SICONOS) $(HDF5)) $(ENGINE_PROGRAMS)
LIBRARY = $(B)/libcoulombench.a
TEST_LIBRARY = $(B)/tests/libtests.a
SOURCES := $(filter-out src/peers/%,$(sort $(wildcard src/*/*.c src/*/*/*.c src/*/*/*/*.c cases/*.c cases/*/*.c)))
TEST_SOURCES := $(sort $(wildcard tests/test_*.c))
FUZZ_MAIN = tests/fuzz/libfuzzer.c
TEST_MAIN = tests/main.c
TEST_SUPPORT := $(filter-out $(TEST_SOURCES) $(FUZZ_MAIN) $(TEST_MAIN),$(wildcard tests/*.c tests/fuzz/*.c))
PERF_SOURCES := $(wildcard tests/perf/*.c)
EXTRA_SOURCES := $(if $(EXTRA),$(sort $(foreach below,*.c */*.c */*/*.c,$(wildcard $(EXTRA)/$(below)))))
# What knows of EXTRA, the registries, tests that read them, where data are found, and the provenance of
# a build are its own; all other objects of src and cases are those of SHARED.
WITH_EXTRA = $(addprefix $(B)/,cases/case.o src/form/registry.o src/problem/solvers/registry.o src/base/data.o \
               tests/test_registry.o tests/test_examples.o)
OWN = $(WITH_EXTRA) $(B)/src/bench/job/provenance.o
OBJECTS = $(foreach o,$(SOURCES:%.c=%.o),$(if $(filter $(B)/$(o),$(OWN)),$(B),$(O))/$(o)) $(EXTRA_SOURCES:$(EXTRA)/%.c=$(B)/extra/%.o)
TESTS = $(TEST_SOURCES:%.c=$(B)/%)
TEST_OBJECTS = $(TEST_SUPPORT:%.c=$(B)/%.o)
FUZZ = $(B)/tests/fuzz/fuzz
PERF = $(B)/tests/perf/perf
PERF_OBJECTS = $(PERF_SOURCES:%.c=$(B)/%.o)
ALL_OBJECTS = $(OBJECTS) $(PERF_OBJECTS) $(TESTS:=.o) $(TEST_OBJECTS) $(B)/src/main.o $(TEST_MAIN:%.c=$(B)/%.o) $(patsubst %,$(B)/src/%.o,$(SICONOS) $(HDF5) $(HDF5:%=%_data) $(addprefix peers/,kit $(if $(filter mujoco%,$(ENGINES)),mjcf) $(NODE_ENGINES:%=node) $(ENGINES))) $(FUZZ_MAIN:%.c=$(B)/%.o)

# ---- Building -----------------------------------------------------------------------------------
all: $(PROGRAM) $(PEER_PROGRAMS) ## the program, build/coulombench (default)
tests: $(TESTS) ## every test binary, without running it
	@missing='$(filter-out $(wildcard $(OBJECTS)),$(OBJECTS))'; \
	 for object in $$missing; do test -f $$object || { echo "not built: $$object" >&2; exit 1; }; done

$(PROGRAM): $(B)/src/main.o $(LIBRARY)
	@echo "link    $@"
	@$(CC) $(CODEGEN) $(LDFLAGS) -o $@.$$$$ $^ $(LIBS) && mv -f $@.$$$$ $@

$(dir $(PROGRAM))coulombench-%: $(B)/src/%.o $(LIBRARY)
	@echo "link    $@"
	@$(CC) $(CODEGEN) $(LDFLAGS) -o $@.$$$$ $^ $(PEER_LIBS) $(LIBS) && mv -f $@.$$$$ $@

$(B)/src/siconos.o: private CPPFLAGS += $(SICONOS_CPPFLAGS)
$(B)/src/fclib.o $(B)/src/fclib_data.o: private CPPFLAGS += $(HDF5_CPPFLAGS)
$(dir $(PROGRAM))coulombench-fclib: $(B)/src/fclib_data.o
$(dir $(PROGRAM))coulombench-siconos: PEER_LIBS = -lsiconos_numerics
$(dir $(PROGRAM))coulombench-fclib: PEER_LIBS = $(HDF5_LIBS)

# Engine, folder: its script and its package stand beside the program.
beside = mkdir -p $(2)/node_modules/$(PACKAGE_$(1)) && \
  (cd $(NPM)/$(PACKAGE_$(1)) && cp --parents $(FILES_$(1)) $(call from_root,$(2))/node_modules/$(PACKAGE_$(1))) && \
  cp src/peers/node.mjs src/peers/$(1).mjs $(2)

$(ENGINE_PROGRAMS): $(dir $(PROGRAM))peers/%: $(B)/src/peers/%.o $(B)/src/peers/kit.o $(LIBRARY)
	@mkdir -p $(@D); echo "link    $@"
	@$(if $(PACKAGE_$*),$(call beside,$*,$(@D)))
	@$(CC) $(CODEGEN) $(LDFLAGS) -o $@.$$$$ $(filter %.o,$^) $(filter %.a,$^) $(ENGINE_LIBS_$*) $(LIBS) && mv -f $@.$$$$ $@

# MuJoCo's model is the same for both.
$(addprefix $(dir $(PROGRAM))peers/,$(filter mujoco%,$(ENGINES))): $(B)/src/peers/mjcf.o
$(NODE_ENGINES:%=$(dir $(PROGRAM))peers/%): $(dir $(PROGRAM))peers/%: src/peers/%.mjs src/peers/node.mjs $(B)/src/peers/node.o
$(foreach e,$(NODE_ENGINES),$(eval $(dir $(PROGRAM))peers/$(e): $(NPM)/$(PACKAGE_$(e))/package.json))

$(TESTS): %: %.o $(TEST_MAIN:%.c=$(B)/%.o) $(TEST_LIBRARY) $(LIBRARY)
	@echo "link    $@"
	@$(CC) $(CODEGEN) $(LDFLAGS) -o $@.$$$$ $^ $(LIBS) && mv -f $@.$$$$ $@

$(PERF): $(PERF_OBJECTS) $(TEST_LIBRARY) $(LIBRARY)
	@echo "link    $@"
	@$(CC) $(CODEGEN) $(LDFLAGS) -o $@.$$$$ $^ $(LIBS) && mv -f $@.$$$$ $@

$(FUZZ): $(FUZZ_MAIN:%.c=$(B)/%.o) $(TEST_LIBRARY) $(LIBRARY)
	@echo "link    $@"
	@$(CC) $(CODEGEN) -fsanitize=fuzzer $(LDFLAGS) -o $@.$$$$ $^ $(LIBS) && mv -f $@.$$$$ $@

$(foreach folder,$(B)/tests $(B)/src/peers $(O)/src/command,$(folder)/%.o): private OPTIMISE_release = -O1

# Comparisons of numbers in arithmetic tell a fuzzer little and take half its time.
ifeq ($(MODE),fuzz)
$(foreach room,la form mech problem,$(O)/src/$(room)/%.o): UNTRACED = -fno-sanitize-coverage=trace-cmp
endif

# Files are written aside and moved: two makes in one tree do not read each other's halves. With
# `make -k` a source that does not compile is left out of the archive, so that the tests that need
# none of it still run; `tests` and the program fail all the same. The archive is made by appending:
# `ar r` would keep only one of two members of the same name.
KEEP_GOING = $(findstring k,$(firstword -$(MAKEFLAGS)))

$(LIBRARY): $(OBJECTS)
$(TEST_LIBRARY): $(TEST_OBJECTS)
$(LIBRARY) $(TEST_LIBRARY): $(B)/objects
	@rm -f $@.$$$$; $(AR) qcs $@.$$$$ $$(ls $(filter %.o,$^) 2>/dev/null) && mv -f $@.$$$$ $@

compile = mkdir -p $(@D); echo "compile $<"; \
	$(or $(1),$(CC)) $(CPPFLAGS) $(filter-out $(2),$(CFLAGS)) -MMD -MP -MF $(@:.o=.d) -MT $@ -c -o $@.$$$$ $< \
	 && mv -f $@.$$$$ $@ || { rm -f $@ $@.$$$$; test -n "$(KEEP_GOING)"; }

# The files of C++.
$(B)/src/peers/bullet.o: private ENGINE_CPPFLAGS = -std=gnu++20 $(BULLET_CPPFLAGS)
$(B)/src/peers/siconos.o: private ENGINE_CPPFLAGS = -std=gnu++17 $(MECHANICS_CPPFLAGS) -DSICONOS_VERSION='"$(MECHANICS_VERSION)"'
$(B)/src/peers/%.o: src/peers/%.cpp $(B)/flags
	@$(call compile,$(CXX) $(ENGINE_CPPFLAGS),-std=gnu11 -Wstrict-prototypes -Wmissing-prototypes)
$(B)/extra/%.o: $(EXTRA)/%.c $(B)/flags $(B)/gen/extra
	@$(call compile)
$(B)/%.o: %.c $(B)/flags
	@$(call compile)
ifneq ($(O),$(B))
$(O)/%.o: %.c $(O)/flags
	@$(call compile)
endif

$(WITH_EXTRA): $(B)/gen/extra
$(WITH_EXTRA): private CPPFLAGS += \
  $(if $(EXTRA),-DEXTRA_FOLDER=$(call c_string,$(call from_root,$(EXTRA))) -DEXTRA_REGISTRY=$(call c_string,$(call from_root,$(EXTRA)/registry.h)))

# Stamps, rewritten only when their text changes.
write_if_changed = mkdir -p $(@D); cat > $@.$$$$; cmp -s $@.$$$$ $@ && rm $@.$$$$ || mv -f $@.$$$$ $@
COMPILER := $(shell $(CC) --version 2>/dev/null | head -n 1)
# The flags that results may depend on, also where CFLAGS or LDFLAGS are given on the command line.
GENERATING = $(strip $(filter-out $(WARNINGS) -Werror,$(CFLAGS)) $(LDFLAGS))

$(sort $(B)/flags $(O)/flags): FORCE
	@printf '%s\n' $(call quote,$(COMPILER) $(CPPFLAGS) $(filter-out -Werror,$(CFLAGS))) | { $(write_if_changed); }
$(B)/objects: FORCE
	@echo '$(OBJECTS) $(TEST_OBJECTS)' | { $(write_if_changed); }
$(B)/gen/provenance.h: FORCE
	@scripts/provenance.sh $(call quote,$(VERSION)) $(call quote,$(COMPILER)) \
	 $(call quote,$(GENERATING)) $(call quote,$(EXTRA)) | { $(write_if_changed); }
$(B)/gen/extra: FORCE
	@echo $(call quote,$(EXTRA)) | { $(write_if_changed); }

$(B)/src/bench/job/provenance.o: $(B)/gen/provenance.h
$(B)/src/bench/job/provenance.o: private CPPFLAGS += -I$(B)/gen

-include $(ALL_OBJECTS:.o=.d)

# ---- Testing ------------------------------------------------------------------------------------
SCRIPTS := $(sort $(wildcard tests/cli/*.sh))
chosen = $(if $(T),$(foreach t,$(1),$(if $(findstring $(T),$(notdir $(t))),$(t))),$(1))
TESTS_CHOSEN = $(call chosen,$(TESTS))
SCRIPTS_CHOSEN = $(call chosen,$(SCRIPTS))
CHECKS_CHOSEN = $(call chosen,scripts/check_text.sh)

# The program is built too, unless T asks for none of the scripts that run it.
test: $(TESTS_CHOSEN) $(if $(T),$(SCRIPTS_CHOSEN:%=$(PROGRAM)),$(PROGRAM)) $(PEER_PROGRAMS) ## set up, build, run every test; T=contact: those only; T=test_: the unit tests
	@COULOMBENCH=$(call quote,$(call from_root,$(PROGRAM))) COULOMBENCH_EXTRA=$(call quote,$(EXTRA)) \
	 $(if $(filter /%,$(BUILD)),COULOMBENCH_DATA=$(call quote,$(CURDIR))) \
	 tests/run.sh -j $(JOBS) -o $(B)/test-logs $(CHECKS_CHOSEN) $(SCRIPTS_CHOSEN) $(TESTS_CHOSEN)

test-%: ## test-contact: the same as test T=contact
	@$(MAKE) test T=$*

sanitize: ## every test under the address and undefined-behaviour sanitizers
	@ASAN_OPTIONS=halt_on_error=1:detect_leaks=1:detect_stack_use_after_return=1 \
	 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 $(MAKE) test MODE=sanitize

fuzz: ## look for inputs that break a reader; needs clang; SECONDS=600 RUNS=1000000 T=scene
	@command -v clang >/dev/null || { echo 'fuzz: needs clang (Debian: scripts/setup.sh --fuzz)' >&2; exit 2; }
	@$(MAKE) MODE=fuzz $(BUILD)/fuzz/tests/fuzz/fuzz
	@scripts/fuzz.sh $(call quote,$(call from_root,$(BUILD)/fuzz/tests/fuzz/fuzz)) $(call quote,$(SECONDS)) $(call quote,$(RUNS)) $(call quote,$(T))

lint: $(B)/gen/provenance.h ## layout, clang-tidy, cppcheck, shellcheck; fails on any finding
	@LINT_CPPFLAGS='$(CPPFLAGS) $(SICONOS_CPPFLAGS) -isystem /usr/include/suitesparse $(HDF5_CPPFLAGS) -I$(B)/gen' \
	  scripts/lint.sh -j $(JOBS)

# ---- Running ------------------------------------------------------------------------------------
bench: $(PROGRAM) $(PEER_PROGRAMS) ## set up, build, run a suite (some five minutes of two processors; SUITE=quick: two), its figures and its report page
	@scripts/bench.sh $(call quote,$(PROGRAM)) $(call quote,$(SUITE)) $(call quote,$(JOBS))

paper: ## figures of the papers; what they state beside what was measured
	@$(MAKE) bench SUITE=paper; ran=$$?; $(call quote,$(PROGRAM)) papers results/paper && exit $$ran

readme: $(PROGRAM) ## make sketches and tables of the pages (*.md) again, after adding a case, formulation or solver
	@test -z $(call quote,$(EXTRA)) || { echo 'readme: leave EXTRA out, README.md is not about it' >&2; exit 1; }
	@COULOMBENCH=$(call quote,$(call from_root,$(PROGRAM))) scripts/sketches.sh --write
	@scripts/readme.sh $(call quote,$(call from_root,$(PROGRAM)))

guide: $(PROGRAM) ## run the suites that the pages' tables are made of, make these tables again (3 min)
	@$(MAKE) readme-records
	@scripts/readme.sh $(call quote,$(call from_root,$(PROGRAM)))

guide-check: $(PROGRAM) ## the same runs; the pages' tables must be what they give
	@$(MAKE) readme-records
	@scripts/readme.sh $(call quote,$(call from_root,$(PROGRAM))) --check-records

readme-records: $(PROGRAM)
	@for suite in guide pages; do \
	  $(call quote,$(call from_root,$(PROGRAM))) bench $$suite -j $(JOBS) --resume -o results/$$suite || test $$? -eq 1 || exit 1; \
	done
	@$(call quote,$(call from_root,$(PROGRAM))) report results/pages

perf: $(PERF) ## measure speed, compare with results/perf/baseline.json; T=mdp: those only
	@scripts/perf.sh $(call quote,$(call from_root,$(PERF))) $(call quote,$(T))

# ---- Installing ---------------------------------------------------------------------------------
ROOT = $(call quote,$(DESTDIR)$(PREFIX))
FOR_BUILDING = $(addprefix scripts/,setup.sh lint.sh provenance.sh check_includes.sh check_text.sh bench.sh \
               fuzz.sh perf.sh readme.sh guide.sh roundoff.sh growth.sh install.sh deb.sh octave.sh)
DATA = $(filter-out $(FOR_BUILDING) %.c %.h,$(wildcard cases/* cases/*/* cases/*/figures/* cases/*/records/* scripts/* scripts/*/* scripts/plot/studies/*))
EXTRA_DATA = $(patsubst $(EXTRA)/%,%,$(if $(EXTRA),$(wildcard $(EXTRA)/cases/*/*.json $(EXTRA)/cases/*/figures/* $(EXTRA)/cases/*/records/*)))

install: $(PROGRAM) $(PEER_PROGRAMS) ## the program to PREFIX/bin, its data, manual page and completion to PREFIX/share
	@scripts/install.sh $(ROOT) $(PROGRAM) $(PEER_PROGRAMS) -- $(DATA) -- $(EXTRA) $(EXTRA_DATA)

uninstall: ## remove what install put there, and nothing else
	@scripts/install.sh --remove $(ROOT)

deb: $(PROGRAM) $(PEER_PROGRAMS) ## a package of Debian with what install puts, into build/
	+@PEERS=$(PEERS) scripts/deb.sh $(call quote,$(BUILD)) $(PROGRAM) $(PEER_PROGRAMS)

clean: ## remove build/; results stay
	rm -rf $(BUILD)

help: ## this list
	@sed -n 's/^## \{0,1\}//p' Makefile
	@echo
	@sed -n 's/^\([a-z%-]*\):.*## \(.*\)/\1|\2/p' Makefile | while IFS='|' read -r name text; do \
	  printf '  make %-10s %s\n' "$$name" "$$text"; done

FORCE:
