# Touchgrid. `make help` lists the targets.
CONFIGURATION ?= release
# The architecture of the programs and packages, as Debian names it.
MACHINE := $(shell dpkg --print-architecture 2>/dev/null)
ARCH ?= $(MACHINE)
# Another architecture than that of this machine, or nothing. scripts/arm64 can build for arm64.
CROSS := $(filter-out $(MACHINE),$(ARCH))
ifneq ($(filter-out amd64:arm64,$(CROSS:%=$(MACHINE):%)),)
$(error ARCH is $(ARCH): this machine can build for $(MACHINE)$(if $(filter amd64,$(MACHINE)), and arm64))
endif
# Runs a command where the programs that were built can run.
RUN = $(if $(CROSS),scripts/arm64 run)
BUILD_FLAGS = -c $(CONFIGURATION) --static-swift-stdlib $(HARDENING) $(SMALLNESS) $(SAMENESS)
# Data that is only written while a program is loaded is read-only from then on.
# On arm64 a page may have 16 KiB, and only whole pages can be read-only.
HARDENING = -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now $(if $(filter arm64,$(ARCH)),-Xlinker -z \
	-Xlinker common-page-size=16384)
# LLVM's linker, which comes with Swift, stores relative relocations in a few bytes. The programs
# export no symbols, because nothing that they load looks for these.
SMALLNESS = -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-export-dynamic
# Two builds of a commit give the same bytes. Without the hashes of modules, which differ, and the
# build ID, which is made from all the rest, the programs are the same. The path is relative to the
# folder of the project, in which Swift runs the linker.
SAMENESS = -Xlinker --build-id=none -Xlinker -T -Xlinker scripts/discard.ld
# A folder with nothing but the static C++ library, so that the linker finds no other. Swift's
# run-time and toml++ use little of it; the shared library costs the daemon 1 MiB of memory.
STATIC = .build/static
BINARIES = .build/$(CROSS:%=%/)$(CONFIGURATION)
DEMO = .build/demo
GENERATED = .build/share$(CROSS:%=-%)$(if $(filter debug,$(CONFIGURATION)),-debug)
PACKAGES = .build/deb$(CROSS:%=-%)$(if $(filter debug,$(CONFIGURATION)),-debug)
# The rules of the packages read them.
export ARCH CONFIGURATION

.NOTPARALLEL:
.PHONY: help deps deps-test deps-deb build build-programs build-tests demo run install uninstall deb packages check-packages release \
	release-check release-test interface lint test \
	test-long test-arm64 test-corpus sanitize endurance bench bench-guest fuzz fuzz-coverage clean

help:
	@echo "make deps         install what the build needs (apt, as root or through sudo)"
	@echo "make build        build the programs"
	@echo "make demo         replay a person and a month, write its report with findings"
	@echo "make run          read this machine's touchscreens into .build/touchgrid.db"
	@echo "make install      install what was built: PREFIX=/usr/local, DESTDIR="
	@echo "make uninstall    remove that again"
	@echo "make deb          make the Debian packages, in $(PACKAGES)"
	@echo "make deb ARCH=arm64  the same for 64-bit ARM and Debian 13, on amd64 (as root)"
	@echo "make release      all that an owner downloads, signed: RELEASE_KEY= (as root)"
	@echo "make release-check  make the release twice, compare each byte (as root)"
	@echo "make release-test   install, upgrade and downgrade it in clean guests (as root)"
	@echo "make test         tests, with real devices in a guest (as root; 10 minutes)"
	@echo "make test-long    all other tests: each Debian and desktop (as root; long)"
	@echo "make test-arm64   the tests for 64-bit ARM in emulation, on amd64 (as root)"
	@echo "make test-corpus  the same with all recordings in TOUCHGRID_CORPUS"
	@echo "make sanitize     the tests under the address and thread sanitizers (as root)"
	@echo "make endurance    fifty power cuts, disks that fail, a day (as root)"
	@echo "make bench        the cost of an event and of a query, and the store's growth"
	@echo "make bench-guest  the cost of the service, in a guest that counts instructions"
	@echo "make fuzz         made-up input for every parser: FUZZ_SECONDS=60, TARGET=one"
	@echo "make fuzz-coverage  how much of the parsers the inputs kept in Fuzz/Corpus reach"
	@echo "make lint         formatting, style and generated code"
	@echo "make clean        remove what was built"

deps:
	@scripts/deps $(if $(CROSS),arm64,build)

deps-test:
	@scripts/deps build deb test

deps-deb:
	@scripts/deps $(if $(CROSS),arm64,build deb)

$(STATIC)/libstdc++.a:
	@mkdir -p $(STATIC)
	@library=$$(g++ -print-file-name=libstdc++.a) && [ -f "$$library" ] || \
		{ echo "make: g++ has no libstdc++.a; 'make deps' installs it" >&2; exit 1; }; \
	ln -sf "$$library" $@

ifeq ($(CROSS),)
build: deps $(STATIC)/libstdc++.a
	swift build $(BUILD_FLAGS) -Xswiftc -L$(CURDIR)/$(STATIC)
else
build: deps
	scripts/arm64 build $(BUILD_FLAGS)
endif
	@rm -rf $(GENERATED)
	@$(RUN) scripts/generate $(BINARIES) $(GENERATED)

# A separate debug build of two programs: `scripts/debug` would optimise modules, which takes twice
# as long.
demo: deps
	@for program in touchgridd touchgrid; do \
		swift build --scratch-path $(DEMO)-build --disable-index-store -debug-info-format none --product $$program || exit 1; done
	@scripts/demo $(DEMO)-build/debug $(DEMO)

build-programs: deps
	scripts/debug build

build-tests: deps
	scripts/debug build --build-tests

run: build
	$(BINARIES)/touchgridd --config config/touchgridd.toml --store .build/touchgrid.db

# Builds nothing, because it may run as root.
export DESTDIR PREFIX UNITDIR USERUNITDIR SYSUSERSDIR TMPFILESDIR SYSCONFDIR STRIP
install uninstall:
	@scripts/install $@ $(BINARIES) $(GENERATED)

deb: deps-deb build packages

# Packages what is already built.
packages:
	@rm -rf $(GENERATED)
	@$(RUN) scripts/generate $(BINARIES) $(GENERATED)
	@echo "== packages, $(CONFIGURATION), $(ARCH)"
	@$(RUN) scripts/deb $(PACKAGES)

check-packages: packages
	$(RUN) lintian --allow-root --fail-on error $(PACKAGES)/*.changes
	@for program in touchgridd touchgrid touchgrid-overlay touchgrid-follow; do \
		scripts/check-relro $(ARCH) $(BINARIES)/$$program || exit 1; \
		! readelf -d $(BINARIES)/$$program | grep -q 'NEEDED.*libstdc' || \
			{ echo "make $@: $$program loads the C++ library whole" >&2; exit 1; }; done
	@! grep -aq "'--test-clock' needs" $(BINARIES)/touchgridd || \
		{ echo "make $@: touchgridd has the clock of debug builds" >&2; exit 1; }
	@size=$$(dpkg-deb --fsys-tarfile $(PACKAGES)/touchgrid_*.deb | tar -xO ./usr/bin/touchgridd | wc -c); \
	echo "touchgridd: $$size bytes"; [ "$$size" -le 16777216 ] || \
		{ echo "make $@: touchgridd has more than 16 MiB" >&2; exit 1; }

export RELEASE_KEY RELEASE_SUITES
release:
	@scripts/release

release-check:
	@scripts/check-reproducible

release-test:
	@scripts/test-release $(if $(PREVIOUS),--previous $(PREVIOUS))

INTERFACE = Sources/Service/TouchgridAPI/io.touchgrid.varlink
# The language and the file of the clients' code that is made from the interface.
CLIENTS = python,clients/python/touchgrid/interface.py javascript,clients/javascript/interface.js

interface:
	@for client in $(CLIENTS); do scripts/interface $${client%,*} $(INTERFACE) $${client#*,} || exit 1; done

lint:
	@for client in $(CLIENTS); do \
		scripts/interface $${client%,*} $(INTERFACE) | cmp -s - $${client#*,} || \
			{ echo "lint: $${client#*,} is not what io.touchgrid.varlink says: run 'make interface'" >&2; exit 1; }; done
	swift format lint --parallel --strict --recursive Package.swift Plugins Sources Tests examples Benchmarks/Package.swift \
		Benchmarks/Sources Fuzz/Package.swift Fuzz/Engine Fuzz/Targets
	@scripts/wayland-protocols --check

test test-long test-arm64:
	@[ "$$(id -u)" = 0 ] || { echo "make $@: the virtual machine is made by root" >&2; exit 1; }
	@$(MAKE) --no-print-directory deps-test
	@. scripts/python-packages && scripts/test $(patsubst test%,-%,$(filter test-%,$@)) $(if $(ONLY),--only '$(ONLY)') $(PHASES)

test-corpus:
	TOUCHGRID_CORPUS_ALL=1 $(MAKE) test-long

sanitize:
	@[ "$$(id -u)" = 0 ] || { echo "make sanitize: clients become other users: by root" >&2; exit 1; }
	@$(MAKE) --no-print-directory deps-test
	@scripts/sanitize

endurance:
	@[ "$$(id -u)" = 0 ] || { echo "make endurance: the virtual machine is made by root" >&2; exit 1; }
	@$(MAKE) --no-print-directory deps-test deb
	@Tests/Guest/guest build --all
	TOUCHGRID_BINARIES="$(CURDIR)/$(BINARIES)" TOUCHGRID_PACKAGES="$(CURDIR)/$(PACKAGES)" TOUCHGRID_GUEST=1 \
		scripts/endurance

bench: build
	@scripts/deps bench
	@Benchmarks/bench --json .build/bench.json

bench-guest:
	@$(MAKE) --no-print-directory deps-test deb
	Tests/Guest/guest build
	@scripts/deps bench
	TOUCHGRID_PACKAGES="$(CURDIR)/$(PACKAGES)" Benchmarks/service --json .build/bench-guest.json

export FUZZ_SECONDS FUZZ_JOBS
fuzz: deps
	@Fuzz/run fuzz $(TARGET)

fuzz-coverage: deps
	@Fuzz/run coverage

clean:
	rm -rf .build Benchmarks/.build Fuzz/.build
