/// The little JSON that a command line needs: a strict reader, a writer, and a YAML writer for
/// people who prefer it.
///
/// Read `Json` first. It exists because a command must be on the screen before a JSON library has
/// loaded its classes; it must never grow annotations, binding or a second way to say the same
/// thing.
///
///     Json job = JsonReader.read("{\"state\":\"running\"}");
///     job.at("state").text();     // running
///     job.at("absent").text();    // empty, because a server may be older than its client
@NullMarked
package io.gpusched.cli.json;

import org.jspecify.annotations.NullMarked;
