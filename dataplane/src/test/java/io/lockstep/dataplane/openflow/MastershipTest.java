package io.lockstep.dataplane.openflow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** OpenFlow 1.3.5 section 6.3, Multiple Controllers. */
class MastershipTest {
  private final Mastership mastership = new Mastership();
  private final Controller a = new Controller();
  private final Controller b = new Controller();

  @Test
  void newMasterDemotesTheOldOne() {
    assertThat(mastership.claim(a, ControllerRole.MASTER, 1)).isTrue();
    assertThat(mastership.claim(b, ControllerRole.MASTER, 1)).isTrue();
    assertThat(a.role).isEqualTo(ControllerRole.SLAVE);
    assertThat(b.role).isEqualTo(ControllerRole.MASTER);
  }

  @Test
  void staleGenerationChangesNothing() {
    mastership.claim(a, ControllerRole.MASTER, 5);
    assertThat(mastership.claim(b, ControllerRole.MASTER, 4)).isFalse();
    assertThat(mastership.claim(b, ControllerRole.SLAVE, 4)).isFalse();
    assertThat(a.role).isEqualTo(ControllerRole.MASTER);
    assertThat(b.role).isEqualTo(ControllerRole.EQUAL);
    assertThat(mastership.generationId()).isEqualTo(5);
  }

  @Test
  void slaveRequestsRaiseTheGenerationToo() {
    assertThat(mastership.claim(b, ControllerRole.SLAVE, 9)).isTrue();
    assertThat(mastership.claim(a, ControllerRole.MASTER, 8)).isFalse();
  }

  /** The comparison is circular: a distance of less than half the range is newer. */
  @Test
  void generationsWrapAround() {
    assertThat(mastership.generationId()).isEqualTo(Mastership.UNDEFINED);
    assertThat(mastership.claim(a, ControllerRole.MASTER, Long.MAX_VALUE)).isTrue();
    assertThat(mastership.claim(a, ControllerRole.MASTER, Long.MIN_VALUE + 7)).isTrue();
    assertThat(mastership.claim(a, ControllerRole.MASTER, Long.MAX_VALUE)).isFalse();
  }

  @Test
  void equalNeedsNoGenerationAndGivesMasterUp() {
    mastership.claim(a, ControllerRole.MASTER, 5);
    mastership.equal(a);
    mastership.claim(b, ControllerRole.MASTER, 5);
    assertThat(a.role).isEqualTo(ControllerRole.EQUAL); // was not demoted: it was no master
  }

  /** The generation id outlives the connection that brought it. */
  @Test
  void generationStaysWhenTheMasterLeaves() {
    mastership.claim(a, ControllerRole.MASTER, 5);
    mastership.left(a);
    assertThat(mastership.claim(b, ControllerRole.MASTER, 4)).isFalse();
    assertThat(mastership.claim(b, ControllerRole.MASTER, 5)).isTrue();
    assertThat(a.role).isEqualTo(ControllerRole.MASTER); // gone, nobody to tell
  }

  private static final class Controller implements Mastership.Holder {
    ControllerRole role = ControllerRole.EQUAL;

    @Override
    public void setRole(ControllerRole newRole) {
      role = newRole;
    }
  }
}
