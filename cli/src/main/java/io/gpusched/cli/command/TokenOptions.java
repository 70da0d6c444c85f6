package io.gpusched.cli.command;

import io.gpusched.cli.args.Option;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.UsageError;
import io.gpusched.cli.rest.ApiPath;

/// Whose tokens are meant: those of a tenant, named by the first word, or those with which agents
/// join.
record TokenOptions(String tenant, int next) {
    static final Option<Boolean> AGENTS =
            Option.flag("--agents", "Tokens with which agents join, instead of a tenant's.");

    static TokenOptions of(ParsedArguments parsedArguments) {
        if (parsedArguments.of(AGENTS)) {
            return new TokenOptions("", 0);
        }
        if (parsedArguments.operands().isEmpty()) {
            throw new UsageError("missing TENANT, or --agents");
        }
        return new TokenOptions(parsedArguments.operand(0), 1);
    }

    /// Refuses words beyond what makes sense.
    void refuseMoreThan(int words, ParsedArguments parsedArguments) {
        if (parsedArguments.operands().size() > next + words) {
            throw new UsageError(
                    "one word too many: '" + parsedArguments.operand(next + words) + "'");
        }
    }

    ApiPath all() {
        return tenant.isEmpty()
                ? ApiPath.to("agents", "tokens")
                : ApiPath.to("tenants", tenant, "tokens");
    }

    ApiPath one(String token) {
        return tenant.isEmpty()
                ? ApiPath.to("agents", "tokens", token)
                : ApiPath.to("tenants", tenant, "tokens", token);
    }

    /// How a person would name them on the next command line.
    String written() {
        return tenant.isEmpty() ? "--agents" : tenant;
    }
}
