# Shorthand for people who type make; Maven does the work.
.PHONY: build test lint format clean

build: ## compile everything and put the libraries beside the jars
	mvn -B -q -DskipTests package

test: ## everything that is checked
	mvn -B verify

lint: ## formatting and project conventions only
	bin/format --check
	mvn -B -q -pl conventions test

format: ## format all sources
	bin/format

clean:
	mvn -B -q clean
	rm -rf target
