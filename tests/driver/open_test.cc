#include "driver/open.h"

#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/driver/libraries.h"

namespace assay {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(OpenDevice, OpensWhatIsListed) {
  for (const std::string name : {"reference", "fast", "jitter:edge", "jitter:flush-to-zero", "faulty:relu-leaks"}) {
    const auto device = OpenDevice(name);
    ASSERT_TRUE(device.ok()) << device.status();
    EXPECT_EQ((*device)->description().name, name);
    EXPECT_EQ((*device)->description().type, DeviceType::CPU);
  }
}

TEST(OpenDevice, NamesTheNearestForAnUnknownName) {
  const auto message = [](absl::string_view name) {
    const absl::Status status = OpenDevice(name).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
    return std::string(status.message());
  };
  EXPECT_EQ(message("fats"), "there is no driver \"fats\"; did you mean fast? (`assay drivers` lists them all)");
  EXPECT_THAT(message("jitter:egde"), HasSubstr("did you mean jitter:edge"));
  EXPECT_THAT(message("faulty:relu-droped"), HasSubstr("did you mean faulty:relu-dropped"));
  EXPECT_THAT(message("relu-dropped"), HasSubstr("faulty:relu-dropped"));
  EXPECT_THAT(message("faulty:"), HasSubstr("there is no driver \"faulty:\""));
  EXPECT_EQ(message("x"), "there is no driver \"x\" (`assay drivers` lists them all)");
  EXPECT_THAT(message(""), HasSubstr("there is no driver \"\""));
}

TEST(OpenDevice, ASlashOrSuffixIsAFile) {
  const auto device = OpenDevice(LibraryPath("example_driver"));
  ASSERT_TRUE(device.ok()) << device.status();
  EXPECT_EQ((*device)->description().name, "example");
  EXPECT_TRUE(absl::IsNotFound(OpenDevice("./fast").status()));
  EXPECT_TRUE(absl::IsNotFound(OpenDevice("fast.so").status()));
}

TEST(MakeDeviceFactory, OpensTheSameDeviceAgainAndAgain) {
  for (const std::string& name : {std::string("fast"), std::string("jitter:edge"), std::string("faulty:relu-leaks"),
                                  LibraryPath("example_driver")}) {
    const auto open = MakeDeviceFactory(name);
    ASSERT_TRUE(open.ok()) << open.status();
    const auto first = (*open)(), second = (*open)();
    ASSERT_TRUE(first.ok() && second.ok()) << first.status() << second.status();
    EXPECT_NE(first->get(), second->get());
    EXPECT_EQ((*first)->description().name, (*second)->description().name);
    EXPECT_EQ((*first)->description().name, IsLibraryPath(name) ? "example" : name);
  }
}

TEST(MakeDeviceFactory, TellsAnUnknownNameAtOnceAndAnUnusableLibraryWhenItIsOpened) {
  EXPECT_THAT(std::string(MakeDeviceFactory("fats").status().message()), HasSubstr("did you mean fast"));
  const auto open = MakeDeviceFactory("./nothing.so");
  ASSERT_TRUE(open.ok()) << open.status();
  EXPECT_TRUE(absl::IsNotFound((*open)().status()));
}

TEST(ListDevices, HasEachNameOnceAndASentence) {
  std::set<std::string> names;
  for (const DeviceListing& d : ListDevices()) {
    EXPECT_TRUE(names.insert(d.name).second) << d.name;
    EXPECT_FALSE(d.sentence.empty()) << d.name;
  }
  EXPECT_TRUE(names.count("reference") && names.count("fast"));
}

}  // namespace
}  // namespace assay
