package io.gpusched.cli.command;

import io.gpusched.cli.rest.Route;
import io.gpusched.cli.words.Misuse;
import io.gpusched.cli.words.Option;
import io.gpusched.cli.words.Typed;

/// Whose tokens are meant: those of a tenant, named by the first word, or those with which agents
/// join.
record TokenWords(String tenant, int next) {
    static final Option<Boolean> AGENTS =
            Option.flag("--agents", "Tokens with which agents join, instead of a tenant's.");

    static TokenWords of(Typed typed) {
        if (typed.of(AGENTS)) {
            return new TokenWords("", 0);
        }
        if (typed.operands().isEmpty()) {
            throw new Misuse("missing TENANT, or --agents");
        }
        return new TokenWords(typed.operand(0), 1);
    }

    /// Refuses words beyond what makes sense.
    void refuseMoreThan(int words, Typed typed) {
        if (typed.operands().size() > next + words) {
            throw new Misuse("one word too many: '" + typed.operand(next + words) + "'");
        }
    }

    Route all() {
        return tenant.isEmpty()
                ? Route.to("agents", "tokens")
                : Route.to("tenants", tenant, "tokens");
    }

    Route one(String token) {
        return tenant.isEmpty()
                ? Route.to("agents", "tokens", token)
                : Route.to("tenants", tenant, "tokens", token);
    }

    /// How a person would name them on the next command line.
    String written() {
        return tenant.isEmpty() ? "--agents" : tenant;
    }
}
