package io.gpusched.cli.command;

import io.gpusched.cli.args.Option;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.UsageError;
import io.gpusched.cli.rest.ApiPath;

/// Selects the tokens of one tenant, named by the first operand, or the tokens of agents.
record TokenOptions(String tenant, int next) {
    static final Option<Boolean> AGENTS =
            Option.flag("--agents", "Tokens of agents instead of a tenant's tokens.");

    static TokenOptions of(ParsedArguments parsedArguments) {
        if (parsedArguments.of(AGENTS)) {
            return new TokenOptions("", 0);
        }
        if (parsedArguments.operands().isEmpty()) {
            throw new UsageError("missing TENANT, or --agents");
        }
        return new TokenOptions(parsedArguments.operand(0), 1);
    }

    /// Throws if there are more than `count` operands.
    void refuseMoreThan(int count, ParsedArguments parsedArguments) {
        if (parsedArguments.operands().size() > next + count) {
            throw new UsageError(
                    "unexpected argument '" + parsedArguments.operand(next + count) + "'");
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

    /// The selection as it is written on a command line.
    String written() {
        return tenant.isEmpty() ? "--agents" : tenant;
    }
}
