package io.lockstep.store.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.KeptForms;
import io.lockstep.store.TableSpec;
import io.lockstep.store.engine.Rules;
import io.lockstep.store.engine.SnapshotBytes;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A state under rules 2 is written as it was, and what was written is read. */
class KeptStateTest {
  private static Replica sample() {
    Replica replica = new Replica();
    replica.machine.adopt(new Rules(2, 64));
    long session = replica.open(60_000);
    replica.declare(session, "values", TableSpec.values());
    replica.declare(session, "rows", TableSpec.columns());
    replica.declare(session, "links", TableSpec.references("rows"));
    replica.put(session, "values", "a", "1");
    replica.put(session, "values", "a", "2");
    replica.put(session, "values", "b", "3");
    replica.run(session, new Command.Remove("values", Bytes.utf8("b")));
    replica.run(session, new Command.Increment("values", Bytes.utf8("c"), 5));
    replica.run(session, new Command.Call("none", Bytes.utf8("x")));
    replica.run(replica.open(600), new Command.KeepAlive());
    replica.pass(2_000);
    return replica;
  }

  @Test
  void stateUnderRulesTwo() throws IOException {
    byte[] state = SnapshotBytes.of(sample().machine);
    KeptForms kept = KeptForms.of("states");
    kept.areThoseOf(Map.of("rules-2", state));
    Replica restored = new Replica();
    SnapshotBytes.restore(restored.machine, kept.bytesOf("rules-2"));
    assertThat(restored.machine.rules()).isEqualTo(new Rules(2, 64));
    assertThat(SnapshotBytes.of(restored.machine)).isEqualTo(state);
  }
}
