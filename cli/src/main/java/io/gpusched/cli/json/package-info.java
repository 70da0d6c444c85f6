/// A small JSON library: a strict parser, a writer, and a YAML writer.
///
/// Read `Json` first. It exists because loading a JSON library takes longer than most commands. It
/// must not grow annotations or data binding.
///
///     Json job = JsonParser.read("{\"state\":\"running\"}");
///     job.at("state").text();     // running
///     job.at("absent").text();    // empty, because a server may be older than its client
@NullMarked
package io.gpusched.cli.json;

import org.jspecify.annotations.NullMarked;
