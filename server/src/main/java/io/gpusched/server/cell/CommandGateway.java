package io.gpusched.server.cell;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Input;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// Where commands and reports enter the cell.
public interface CommandGateway {
    /// Sends an input to the cell and waits for its answer, which comes when the input's batch is
    /// durable. Throws [CellUnavailable] if there is no answer; the exception says whether the
    /// input may have been applied.
    Answer ask(Input input);

    /// Sends an input to the cell and waits only while the inbox is full. `answered` is called
    /// once, on a thread that it must not block. It is never called if the server stops first, or
    /// if the input is no longer `wanted` when the cell takes it.
    void tell(Input input, BooleanSupplier wanted, Consumer<Answer> answered);

    /// Sends an input that stays wanted.
    default void tell(Input input, Consumer<Answer> answered) {
        tell(input, () -> true, answered);
    }
}
