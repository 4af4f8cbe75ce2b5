# Touchgrid. `make help` lists what there is.
SWIFT ?= swift
CONFIGURATION ?= release
BUILD_FLAGS = -c $(CONFIGURATION) --static-swift-stdlib
BINARIES = .build/$(CONFIGURATION)
DEMO = .build/demo

.PHONY: help deps deps-test build demo run lint test test-corpus test-guest clean

help:
	@echo "make deps         install what the build needs (apt, as root or through sudo)"
	@echo "make build        build touchgridd and touchgrid"
	@echo "make demo         replay a recorded person through the daemon and show the heatmaps"
	@echo "make run          read this machine's touchscreens, store in .build/touchgrid.db"
	@echo "make test         every test: unit, property, golden, and real devices in a virtual machine"
	@echo "make test-corpus  the same with all recordings in TOUCHGRID_CORPUS played in the guest"
	@echo "make lint         formatting and style"
	@echo "make clean        remove what was built"

deps:
	@scripts/deps build

deps-test:
	@scripts/deps build test

build: deps
	$(SWIFT) build $(BUILD_FLAGS)

demo: build
	@scripts/demo $(BINARIES) $(DEMO)

run: build
	$(BINARIES)/touchgridd --store .build/touchgrid.db

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests

test: deps-test lint build
	@echo "== virtual machine"
	Tests/Guest/guest build
	@echo "== tests"
	TOUCHGRID_BINARIES="$(CURDIR)/$(BINARIES)" TOUCHGRID_GUEST=1 scripts/test

test-corpus:
	TOUCHGRID_CORPUS_ALL=1 $(MAKE) test

clean:
	rm -rf .build
