# `cpack -G DEB` in the folder of a build: a package for the Debian that built it.
set(CPACK_PACKAGE_NAME analyticsd)
set(CPACK_PACKAGE_VENDOR "The analytics project")
set(CPACK_PACKAGE_CONTACT "The analytics project <analytics@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "self-hosted web analytics: daemon and command line")
set(CPACK_PACKAGE_FILE_NAME analyticsd_${PROJECT_VERSION}_${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_GENERATOR DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_SET_DESTDIR ON)  # so that /etc is not below the prefix
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "systemd | systemd-sysusers, uap-core, tzdata, ca-certificates")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(folder ${CMAKE_CURRENT_LIST_DIR}/debian)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
  "${folder}/postinst;${folder}/prerm;${folder}/postrm;${folder}/conffiles")
include(CPack)
