package io.gpusched.rl.ppo;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/// Writes and reads the plan of a training run, field by field in the order of the records.
final class PlanCodec {
    private PlanCodec() {}

    static void write(DataOutputStream out, TrainingPlan plan) throws IOException {
        out.writeUTF(plan.preset());
        writeSettings(out, plan.settings());
        ModelShape shape = plan.shape();
        out.writeUTF(shape.architecture().toString());
        out.writeUTF(shape.encoder());
        out.writeUTF(shape.lookahead());
        out.writeInt(shape.window());
        out.writeInt(shape.gpus());
        out.writeUTF(plan.environment());
        out.writeLong(plan.totalSteps());
        out.writeLong(plan.seed());
        out.writeInt(plan.evaluationInterval());
        out.writeInt(plan.evaluationBlocks());
        out.writeInt(plan.evaluationEpisodes());
        out.writeInt(plan.finalEpisodes());
        out.writeBoolean(plan.greedy());
        out.writeLong(plan.reportOffset());
    }

    static TrainingPlan read(DataInputStream in) throws IOException {
        return new TrainingPlan(
                in.readUTF(),
                readSettings(in),
                new ModelShape(
                        Architecture.parse(in.readUTF()),
                        in.readUTF(),
                        in.readUTF(),
                        in.readInt(),
                        in.readInt()),
                in.readUTF(),
                in.readLong(),
                in.readLong(),
                in.readInt(),
                in.readInt(),
                in.readInt(),
                in.readInt(),
                in.readBoolean(),
                in.readLong());
    }

    private static void writeSettings(DataOutputStream out, PpoSettings settings)
            throws IOException {
        out.writeInt(settings.stepsPerUpdate());
        out.writeInt(settings.environments());
        out.writeDouble(settings.discount());
        out.writeDouble(settings.gaeDecay());
        out.writeInt(settings.minibatches());
        out.writeInt(settings.epochs());
        out.writeDouble(settings.clip());
        out.writeDouble(settings.entropyBonus());
        out.writeDouble(settings.valueWeight());
        out.writeDouble(settings.maxNorm());
        out.writeBoolean(settings.normaliseAdvantages());
        out.writeDouble(settings.rate());
        out.writeUTF(settings.schedule().name());
        out.writeDouble(settings.rateEnd());
        out.writeDouble(settings.entropyJump());
        out.writeDouble(settings.targetKl());
        out.writeLong(settings.trainingSeeds());
        out.writeLong(settings.evaluationSeeds());
        out.writeInt(settings.imitationUpdates());
        out.writeDouble(settings.imitationRate());
    }

    private static PpoSettings readSettings(DataInputStream in) throws IOException {
        return new PpoSettings(
                in.readInt(),
                in.readInt(),
                in.readDouble(),
                in.readDouble(),
                in.readInt(),
                in.readInt(),
                in.readDouble(),
                in.readDouble(),
                in.readDouble(),
                in.readDouble(),
                in.readBoolean(),
                in.readDouble(),
                RateSchedule.valueOf(in.readUTF()),
                in.readDouble(),
                in.readDouble(),
                in.readDouble(),
                in.readLong(),
                in.readLong(),
                in.readInt(),
                in.readDouble());
    }
}
