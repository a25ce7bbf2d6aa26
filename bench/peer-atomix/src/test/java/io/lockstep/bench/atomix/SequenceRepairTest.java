package io.lockstep.bench.atomix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.atomix.protocols.raft.session.RaftSession;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SequenceRepairTest {

  private static byte[] bytesOf(String name) throws IOException {
    try (InputStream in =
        SequenceRepairTest.class.getClassLoader().getResourceAsStream(name + ".class")) {
      return in.readAllBytes();
    }
  }

  /** Loads the repaired class beside the one that this virtual machine has. */
  private static final class RepairedClasses extends ClassLoader {
    Class<?> define(byte[] bytes) {
      return defineClass(RaftSession.class.getName(), bytes, 0, bytes.length);
    }
  }

  @Test
  void whatUsesTheNumberOfTheLastCommandIsSynchronized() throws Exception {
    Class<?> repaired =
        new RepairedClasses().define(SequenceRepair.repaired(bytesOf(SequenceRepair.SESSION)));
    assertThat(
            Arrays.stream(repaired.getDeclaredMethods())
                .filter(method -> Modifier.isSynchronized(method.getModifiers()))
                .map(method -> method.getName()))
        .containsExactlyInAnyOrder(
            "getRequestSequence",
            "nextRequestSequence",
            "setRequestSequence",
            "resetRequestSequence");
    assertThat(
            Modifier.isSynchronized(
                RaftSession.class.getMethod("setRequestSequence", long.class).getModifiers()))
        .as("Atomix has the defect: without it, the agent can go")
        .isFalse();
  }

  @Test
  void aClassWithoutTheMethodsIsNotTakenForRepaired() throws Exception {
    byte[] other = bytesOf(SequenceRepairTest.class.getName().replace('.', '/'));
    assertThatThrownBy(() -> SequenceRepair.repaired(other))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("RequestSequence");
  }
}
