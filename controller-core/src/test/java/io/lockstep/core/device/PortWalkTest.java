package io.lockstep.core.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.mastership.FencedWrite.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.onosproject.net.Port;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DefaultPortDescription;
import org.onosproject.net.device.PortDescription;

class PortWalkTest {
  private static final int MANY = 3 * PortWalk.MAX_PORTS + 7;

  private final TreeMap<Long, PortDescription> present = new TreeMap<>();
  private final TreeMap<Long, PortRecord> stored = new TreeMap<>();
  private final PortWalk walk = new PortWalk(7);

  @Test
  void whatDiffersIsWrittenAndWhatIsTheSameIsNot() {
    for (long port = 1; port <= 5; port++) {
      report(port, true);
    }
    converge(1);
    report(2, false);
    present.remove(4L);
    report(-2, true);
    assertThat(step()).isEqualTo(3);
    assertThat(stored.keySet()).containsExactly(-2L, 1L, 2L, 3L, 5L);
    assertThat(stored).hasEntrySatisfying(2L, port -> assertThat(port.enabled()).isFalse());
    assertThat(step()).isZero();
  }

  @Test
  void manyPortsAreWrittenInParts() {
    for (long port = 1; port <= MANY; port++) {
      report(port, true);
    }
    assertThat(step()).isEqualTo(PortWalk.MAX_PORTS);
    converge(3);
    assertThat(stored.keySet()).isEqualTo(present.keySet());
    present.clear();
    assertThat(step()).isEqualTo(PortWalk.MAX_PORTS);
    converge(3);
    assertThat(stored).isEmpty();
  }

  @Test
  void portBehindWhichItPausedIsNotForgotten() {
    for (long port = 1; port <= MANY; port++) {
      report(port, true);
    }
    step();
    report(1, false);
    present.remove(2L);
    converge(4);
    assertThat(stored).hasEntrySatisfying(1L, port -> assertThat(port.enabled()).isFalse());
    assertThat(stored.keySet()).isEqualTo(present.keySet());
  }

  @Test
  void portsThatChangeWithoutEndAtTheBeginningDoNotKeepTheLastOneWaiting() {
    for (long port = 1; port <= MANY; port++) {
      report(port, true);
    }
    boolean up = true;
    int steps = 0;
    while (!stored.containsKey((long) MANY)) {
      up = !up;
      for (long port = 1; port <= PortWalk.MAX_PORTS; port++) {
        report(port, up);
      }
      step();
      assertThat(++steps).isLessThan(6);
    }
  }

  /** Where ports are left there is a write, whose answer continues the walk. */
  private void converge(int most) {
    for (int calls = 0; calls <= most; calls++) {
      List<Write> writes = new ArrayList<>();
      boolean more = walk.go(List.copyOf(present.values()), stored, writes);
      assertThat(more && writes.isEmpty()).isFalse();
      apply(writes);
      if (!more) {
        return;
      }
    }
    throw new AssertionError("not done after " + most + " calls");
  }

  private int step() {
    List<Write> writes = new ArrayList<>();
    walk.go(List.copyOf(present.values()), stored, writes);
    assertThat(writes.size()).isLessThanOrEqualTo(PortWalk.MAX_PORTS);
    apply(writes);
    return writes.size();
  }

  private void apply(List<Write> writes) {
    PortTable table = new PortTable();
    for (Write write : writes) {
      if (write instanceof Write.Put put) {
        stored.put(table.decodeKey(put.key()).port(), table.decodeValue(put.value()));
      } else if (write instanceof Write.Remove remove) {
        stored.remove(table.decodeKey(remove.key()).port());
      }
    }
  }

  private void report(long number, boolean enabled) {
    present.put(
        number,
        DefaultPortDescription.builder()
            .withPortNumber(PortNumber.portNumber(number))
            .isEnabled(enabled)
            .type(Port.Type.COPPER)
            .portSpeed(1_000)
            .build());
  }
}
