package io.gpusched.server.cell;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Input;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// The way into the cell.
public interface CommandGateway {
    /// Hands the input in and waits for its answer, which comes when nothing can undo it any more.
    /// Throws [CellUnavailable] when there is none: then it is not known whether the input counts,
    /// unless the exception says so.
    Answer ask(Input input);

    /// Hands the input in, waiting only while there is no room for it. `answered` is called once,
    /// on a thread that must not be held up; never if the server stops first, or if the input is no
    /// longer `wanted` when its turn comes.
    void tell(Input input, BooleanSupplier wanted, Consumer<Answer> answered);

    /// The same for an input that stays wanted.
    default void tell(Input input, Consumer<Answer> answered) {
        tell(input, () -> true, answered);
    }
}
