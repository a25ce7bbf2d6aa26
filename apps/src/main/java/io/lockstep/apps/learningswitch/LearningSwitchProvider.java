package io.lockstep.apps.learningswitch;

import io.lockstep.core.app.ApplicationConfiguration;
import io.lockstep.core.app.ApplicationProvider;
import io.lockstep.core.app.ConfigurationKey;
import io.lockstep.core.app.Noun;
import io.lockstep.core.app.PacketApplication;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.TableSpec;
import java.util.List;
import java.util.Map;

/** Declares the learning switch. It claims every packet, so it is asked last. */
public final class LearningSwitchProvider implements ApplicationProvider {
  private static final ConfigurationKey.Whole IDLE_TIMEOUT =
      new ConfigurationKey.Whole(
          "idleTimeoutSeconds",
          LearningSwitch.Config.DEFAULT.idleTimeoutSeconds(),
          1,
          65_535,
          "seconds");

  @Override
  public String name() {
    return LearningSwitch.NAME;
  }

  @Override
  public int priority() {
    return LAST_PRIORITY;
  }

  @Override
  public List<ConfigurationKey> configuration() {
    return List.of(IDLE_TIMEOUT);
  }

  @Override
  public Map<String, TableSpec> tables() {
    return LearningSwitch.TABLES;
  }

  @Override
  public List<Noun> nouns() {
    return List.of(LearnedAddresses.NOUN);
  }

  /**
   * {@link LearnAndForward} and {@link ForgetPorts} are no longer called: a log of an earlier
   * release may hold calls of them, and every replica must replay such a log to the same state.
   */
  @Override
  public List<MicroComponent> microComponents() {
    return List.of(
        new LearnInVlan(), new ForgetLearned(), new LearnAndForward(), new ForgetPorts());
  }

  @Override
  public PacketApplication create(ApplicationConfiguration configuration) {
    return new LearningSwitch(new LearningSwitch.Config(configuration.whole(IDLE_TIMEOUT.name())));
  }
}
