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

/// Everything a command may use: the REST client, the printer, the clock, standard input and the
/// acting tenant.
///
/// @param terminal whether standard output is a terminal, so that the user can answer questions
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

    /// Runs `action` for every id. If the server refuses one id, the others are still tried; the
    /// refusal is printed at once and the result is 1.
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

    /// Prints the server's warnings.
    void warnings(Json answer) {
        for (Json warning : answer.at("warnings").items()) {
            printer.remark("warning: " + CommandHints.translate(warning.text()));
        }
    }

    /// Prints the result of an action on `id`: a sentence for people, the answer for programs.
    void report(Json answer, String id, String sentence) {
        printer.done(answer, id, () -> List.of(sentence));
    }
}
