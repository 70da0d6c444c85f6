package io.gpusched.cli.command;

import io.gpusched.cli.args.Option;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.UsageError;
import io.gpusched.cli.rest.ApiPath;

/// Selects the tokens of one tenant, named by the first operand, or those of agents or gateways.
///
/// @param service `agents` or `gateways`; empty for a tenant
record TokenOptions(String tenant, String service, int next) {
    static final Option<Boolean> AGENTS =
            Option.flag("--agents", "Tokens of agents instead of a tenant's tokens.");

    static final Option<Boolean> GATEWAYS =
            Option.flag("--gateways", "Tokens of gateways instead of a tenant's tokens.");

    static TokenOptions of(ParsedArguments parsedArguments) {
        if (parsedArguments.of(AGENTS) && parsedArguments.of(GATEWAYS)) {
            throw new UsageError("expected --agents or --gateways, found both");
        }
        if (parsedArguments.of(AGENTS)) {
            return new TokenOptions("", "agents", 0);
        }
        if (parsedArguments.of(GATEWAYS)) {
            return new TokenOptions("", "gateways", 0);
        }
        if (parsedArguments.operands().isEmpty()) {
            throw new UsageError("missing TENANT, --agents or --gateways");
        }
        return new TokenOptions(parsedArguments.operand(0), "", 1);
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
                ? ApiPath.to(service, "tokens")
                : ApiPath.to("tenants", tenant, "tokens");
    }

    ApiPath one(String token) {
        return tenant.isEmpty()
                ? ApiPath.to(service, "tokens", token)
                : ApiPath.to("tenants", tenant, "tokens", token);
    }

    /// The selection as it is written on a command line.
    String written() {
        return tenant.isEmpty() ? "--" + service : tenant;
    }
}
