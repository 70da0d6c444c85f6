package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.Printer;
import io.gpusched.cli.rest.ApiPath;
import io.gpusched.cli.rest.CommandHints;
import io.gpusched.cli.rest.RequestRefused;
import io.gpusched.cli.rest.Rest;

import java.io.InputStream;
import java.util.List;
import java.util.function.Consumer;

/// Everything a command may use: the server, the printer, time, standard input, and whose jobs it
/// is about.
///
/// @param terminal whether a person sits in front of it and can be asked
public record CliSession(
        Rest rest,
        Printer printer,
        PollingClock pollingClock,
        ActingTenant actingTenant,
        InputStream in,
        boolean terminal) {

    Json ask(ApiPath apiPath) {
        return rest.call("GET", apiPath);
    }

    Json post(ApiPath apiPath) {
        return rest.call("POST", apiPath);
    }

    Json job(String id) {
        return ask(ApiPath.to("jobs", id));
    }

    /// Does `action` for every id. A refusal for one does not keep the others from being tried; it
    /// is told at once and makes the result 1.
    int forEach(List<String> ids, Consumer<String> action) {
        int result = 0;
        for (String id : ids) {
            try {
                action.accept(id);
            } catch (RequestRefused no) {
                printer.remark("gpu-cli: " + id + ": " + no.sentence());
                no.details().forEach(printer::remark);
                result = 1;
            }
        }
        return result;
    }

    /// Passes on what the server did but wondered about.
    void warnings(Json answer) {
        for (Json warning : answer.at("warnings").items()) {
            printer.remark("warning: " + CommandHints.ours(warning.text()));
        }
    }

    /// Tells that something was done to `id`: our sentence to people, the answer to machines.
    void tell(Json answer, String id, String sentence) {
        printer.done(answer, id, () -> List.of(sentence));
    }
}
