# `cpack -G DEB` in the folder of a build: packages for the Debian that built them. `analytics` has
# the command line, `analyticsd` the daemon; neither needs the other.
set(CPACK_PACKAGE_NAME analyticsd)
set(CPACK_PACKAGE_VENDOR "The analytics project")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "self-hosted web analytics")
set(ANALYTICS_CONTACT "The analytics founders <analytics@example.com>" CACHE STRING "Maintainer of the packages")
set(CPACK_PACKAGE_CONTACT ${ANALYTICS_CONTACT})
set(CPACK_GENERATOR DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_SET_DESTDIR ON)  # so that /etc is not below the prefix
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL analytics)
if(ANALYTICS_DAEMON)
  list(APPEND CPACK_COMPONENTS_ALL analyticsd)
endif()
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_ANALYTICS_PACKAGE_NAME analytics)
set(CPACK_DEBIAN_ANALYTICS_PACKAGE_SECTION net)
set(CPACK_DEBIAN_ANALYTICS_PACKAGE_DEPENDS "tzdata, ca-certificates")
set(CPACK_DEBIAN_ANALYTICS_DESCRIPTION
  "The command line provisions sites, links and goals, shows numbers, and
sends access logs and exports of other services to analyticsd, exactly once.")

set(CPACK_DEBIAN_ANALYTICSD_PACKAGE_NAME analyticsd)
set(CPACK_DEBIAN_ANALYTICSD_PACKAGE_SECTION net)
set(CPACK_DEBIAN_ANALYTICSD_PACKAGE_DEPENDS
  "systemd | systemd-sysusers, uap-core, tzdata, ca-certificates")
set(CPACK_DEBIAN_ANALYTICSD_PACKAGE_SUGGESTS analytics)
set(CPACK_DEBIAN_ANALYTICSD_DESCRIPTION
  "The daemon collects pageviews and events over the wire format of Plausible
Analytics and answers questions about them, on one SQLite file.")
set(folder ${CMAKE_CURRENT_LIST_DIR}/debian)
string(TIMESTAMP ANALYTICS_PACKAGED "%a, %d %b %Y %H:%M:%S +0000" UTC)
foreach(name IN LISTS CPACK_COMPONENTS_ALL)
  configure_file(${folder}/changelog.in ${CMAKE_BINARY_DIR}/packages/${name}/changelog @ONLY)
  set(docs ${CMAKE_INSTALL_DATADIR}/doc/${name})
  install(FILES ${CMAKE_BINARY_DIR}/packages/${name}/changelog DESTINATION ${docs} COMPONENT ${name})
  install(FILES LICENSE RENAME copyright DESTINATION ${docs} COMPONENT ${name})
endforeach()
set(CPACK_PRE_BUILD_SCRIPTS ${folder}/compress.cmake)
set(CPACK_DEBIAN_ANALYTICSD_PACKAGE_CONTROL_EXTRA
  "${folder}/postinst;${folder}/prerm;${folder}/postrm;${folder}/conffiles")
include(CPack)
