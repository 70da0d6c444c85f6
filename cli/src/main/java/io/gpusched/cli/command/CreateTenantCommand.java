package io.gpusched.cli.command;

import io.gpusched.cli.args.Option;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.ApiPath;

import java.util.List;
import java.util.Map;

/// Creates a tenant. A quota that is not given does not exist; 0 means none at all.
final class CreateTenantCommand implements CliCommand {
    private static final Option<String> NAME =
            Option.text("--name", "NAME", "Name of the tenant.").required();
    private static final Option<String> ID =
            Option.text("--id", "ID", "Its id; the scheduler makes one up if none is given.");

    @Override
    public Syntax syntax() {
        return Syntax.of("create-tenant", "Create a tenant; a quota not given is unlimited.")
                .with(TenantOptions.with(NAME, ID))
                .examples(
                        "Examples:",
                        "  gpu-cli create-tenant --name research --max-gpus 16 --priority high",
                        "  gpu-cli create-tenant --name vision --parent research --weight 2");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        Json tenant =
                cliSession
                        .rest()
                        .call("POST", ApiPath.to("tenants"), body(parsedArguments), Map.of());
        String id = tenant.firstOf("id", "tenant_id").text();
        cliSession
                .printer()
                .done(
                        tenant,
                        id,
                        () ->
                                List.of(
                                        "Tenant created successfully!",
                                        "Tenant ID: " + id,
                                        "Name: " + tenant.at("name").text()));
        cliSession.warnings(tenant);
        return 0;
    }

    private static Json body(ParsedArguments parsedArguments) {
        return TenantOptions.addTo(
                        new RequestBody(parsedArguments).text("name", NAME).text("id", ID))
                .json();
    }
}
